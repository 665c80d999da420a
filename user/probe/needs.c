// SPDX-License-Identifier: GPL-2.0-only
// In: findings. Out: a verdict for each command, from what it really uses.
#include "probe/needs.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probe/errno_words.h"

const char *need_command_name(enum need_command command)
{
	static const char *const names[] = { "trace", "run", "load", "target" };

	return names[command];
}

const char *need_programs_name(enum need_programs programs)
{
	static const char *const names[] = { NULL, "typed", "raw" };

	return names[programs];
}

static const enum watched_place trace_places[] = { WATCHED_RQ_ISSUE, WATCHED_RQ_REQUEUE,
						   WATCHED_RQ_COMPLETE };
static const enum watched_place run_places[] = { WATCHED_URING_CREATE, WATCHED_URING_PUNT,
						 WATCHED_BIO_QUEUE,    WATCHED_BIO_SPLIT,
						 WATCHED_GETRQ,	       WATCHED_RQ_INSERT,
						 WATCHED_BIO_COMPLETE, WATCHED_URING_COMPLETE };
static const enum bpf_feature trace_features[] = { BPF_FEATURE_HASH, BPF_FEATURE_ARRAY_MMAP,
						   BPF_FEATURE_GLOBAL_DATA, BPF_FEATURE_KTIME };

/* What the programs' maps take at most, where RLIMIT_MEMLOCK bounds it: most of
 * it the histograms, and in `run` the bios it follows.
 */
enum { TRACE_MEMORY = 72 << 20, RUN_MEMORY = 104 << 20 };

/* Ways of a tracepoint, as in struct watched. */
enum { TYPED, RAW };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char trace_privilege[] =
	"run as root, or with CAP_BPF and CAP_PERFMON, in the initial user namespace";

static void lack(struct need_verdict *verdict, enum exit_status status, const char *what,
		 const char *remedy, const char *format, ...) __attribute__((format(printf, 5, 6)));

static void lack(struct need_verdict *verdict, enum exit_status status, const char *what,
		 const char *remedy, const char *format, ...)
{
	struct lack one = { .status = status, .remedy = remedy };
	unsigned int at = verdict->lack_count;
	va_list args;

	if (at == LACKS_MAX)
		return;
	snprintf(one.what, sizeof(one.what), "%s", what);
	va_start(args, format);
	vsnprintf(one.why, sizeof(one.why), format, args);
	va_end(args);
	/* The lower status (privilege before kernel) is the one to end with. */
	while (at && verdict->lacks[at - 1].status > status)
		at--;
	memmove(&verdict->lacks[at + 1], &verdict->lacks[at],
		(verdict->lack_count - at) * sizeof(one));
	verdict->lacks[at] = one;
	verdict->lack_count++;
}

static bool refused(int err)
{
	return err == -EPERM || err == -EACCES;
}

static void need_place(const struct findings *findings, enum watched_place index, int way,
		       struct need_verdict *verdict)
{
	const struct watched *place = &findings->places[index];
	bool may = privilege_may_trace(&findings->privilege);
	bool known_absent = !findings->types_err && place->outcome[TYPED].err == -ENOENT;
	const char *remedy;
	char why[256];

	if (place->outcome[way].step == HOOK_ATTACHED)
		return;
	watched_why(place, why, sizeof(why));
	remedy = watched_remedy(place, &findings->privilege, !findings->types_err);
	lack(verdict, may || known_absent ? EXIT_KERNEL_LACKS : EXIT_PRIVILEGE, place->name,
	     remedy ? remedy : "a kernel that lets all of tp_btf or all of raw_tp attach", "%s", why);
}

static void need_feature(const struct findings *findings, enum bpf_feature feature,
			 struct need_verdict *verdict)
{
	int err = findings->features[feature];
	bool privilege = refused(err) && !privilege_may_trace(&findings->privilege);

	if (err)
		lack(verdict, privilege ? EXIT_PRIVILEGE : EXIT_KERNEL_LACKS,
		     bpf_feature_name(feature),
		     privilege ? trace_privilege : "a kernel that has it", "%s",
		     errno_words(err).text);
}

static void need_types(int err, struct need_verdict *verdict)
{
	if (!err)
		return;
	if (refused(err))
		lack(verdict, EXIT_PRIVILEGE, "BTF", "make /sys/kernel/btf/vmlinux readable", "%s",
		     errno_words(err).text);
	else
		lack(verdict, EXIT_KERNEL_LACKS, "BTF",
		     "give this kernel's BTF with --btf FILE; or a kernel with CONFIG_DEBUG_INFO_BTF",
		     "/sys/kernel/btf/vmlinux: %s", errno_words(err).text);
}

static void need_memory(const struct findings *findings, int64_t bytes, struct need_verdict *verdict)
{
	if (findings->memlock_bytes >= 0 && findings->memlock_bytes < bytes)
		lack(verdict, EXIT_PRIVILEGE, "locked memory",
		     "raise RLIMIT_MEMLOCK (ulimit -l unlimited), or run with CAP_SYS_RESOURCE",
		     "this kernel charges BPF's maps to RLIMIT_MEMLOCK, %lld KiB here",
		     (long long)findings->memlock_bytes / 1024);
}

static void need_clock(const struct findings *findings, struct need_verdict *verdict)
{
	if (findings->clock_offset_ns)
		lack(verdict, EXIT_KERNEL_LACKS, "one clock for kernel and user space",
		     "run from the initial time namespace (nsenter -t 1 -T)",
		     "CLOCK_MONOTONIC is shifted by %lld ns in this time namespace",
		     (long long)findings->clock_offset_ns);
}

/* The names of one tracepoint in newer and older kernels. */
static void need_submission(const struct findings *findings, int way, struct need_verdict *verdict)
{
	if (findings->places[WATCHED_URING_SUBMIT_SQE].outcome[way].step != HOOK_ATTACHED)
		need_place(findings, WATCHED_URING_SUBMIT_REQ, way, verdict);
}

static void need_events(const struct findings *findings, bool run, int way,
			struct need_verdict *verdict)
{
	for (size_t i = 0; i < COUNT(trace_places); i++)
		need_place(findings, trace_places[i], way, verdict);
	for (size_t i = 0; run && i < COUNT(run_places); i++)
		need_place(findings, run_places[i], way, verdict);
	if (run)
		need_submission(findings, way, verdict);
}

static void need_typed(const struct findings *findings, bool run, struct need_verdict *verdict)
{
	need_types(findings->types_err, verdict);
	need_events(findings, run, TYPED, verdict);
	need_feature(findings, BPF_FEATURE_CAS, verdict);
}

static void need_raw(const struct findings *findings, bool run, struct need_verdict *verdict)
{
	need_types(findings->shapes_err, verdict);
	need_events(findings, run, RAW, verdict);
	need_feature(findings, BPF_FEATURE_READ_KERNEL, verdict);
}

/* Typed programs are taken where they can be; what then lacks is what raw ones
 * lack.
 */
static void need_programs(const struct findings *findings, bool run, struct need_verdict *verdict)
{
	struct need_verdict typed = { 0 }, raw = { 0 };

	need_typed(findings, run, &typed);
	need_raw(findings, run, &raw);
	if (!typed.lack_count) {
		verdict->programs = NEED_TYPED;
		return;
	}
	verdict->not_typed = typed.lacks[0];
	if (!raw.lack_count)
		verdict->programs = NEED_RAW;
	for (unsigned int i = 0; i < raw.lack_count; i++)
		lack(verdict, raw.lacks[i].status, raw.lacks[i].what, raw.lacks[i].remedy, "%s",
		     raw.lacks[i].why);
}

static void judge_tracing(const struct findings *findings, bool run, struct need_verdict *verdict)
{
	need_clock(findings, verdict);
	need_programs(findings, run, verdict);
	for (size_t i = 0; i < COUNT(trace_features); i++)
		need_feature(findings, trace_features[i], verdict);
	need_memory(findings, run ? RUN_MEMORY : TRACE_MEMORY, verdict);
}

static void judge_trace(const struct findings *findings, struct need_verdict *verdict)
{
	judge_tracing(findings, false, verdict);
}

/* EPERM from io_uring_setup has three causes; the sysctl tells two of them. */
static void lack_ring(const struct findings *findings, struct need_verdict *verdict)
{
	struct errno_words error = errno_words(findings->uring.ring);

	if (findings->uring.ring == -ENOSYS)
		lack(verdict, EXIT_KERNEL_LACKS, "io_uring", "a kernel with CONFIG_IO_URING",
		     "io_uring_setup: %s", error.text);
	else if (findings->uring.ring == -ENOMEM)
		lack(verdict, EXIT_PRIVILEGE, "io_uring", "raise RLIMIT_MEMLOCK (ulimit -l)",
		     "io_uring_setup: %s", error.text);
	else if (findings->uring_disabled == 2)
		lack(verdict, EXIT_KERNEL_LACKS, "io_uring", "sysctl kernel.io_uring_disabled=0",
		     "kernel.io_uring_disabled is 2: off for everybody (%s)", error.text);
	else if (findings->uring_disabled == 1)
		lack(verdict, EXIT_PRIVILEGE, "io_uring",
		     "run as root or in the group kernel.io_uring_group",
		     "kernel.io_uring_disabled is 1: off without CAP_SYS_ADMIN (%s)", error.text);
	else
		lack(verdict, refused(findings->uring.ring) ? EXIT_PRIVILEGE : EXIT_KERNEL_LACKS,
		     "io_uring", "look for a seccomp filter (containers have one) or an LSM",
		     "io_uring_setup: %s", error.text);
}

static void judge_load(const struct findings *findings, struct need_verdict *verdict)
{
	const struct uring_features *uring = &findings->uring;

	if (uring->ring) {
		lack_ring(findings, verdict);
		return;
	}
	if (uring->ext_arg)
		lack(verdict, EXIT_KERNEL_LACKS, "io_uring wait with time-out (EXT_ARG)",
		     "a kernel from 5.11 on", "%s", errno_words(uring->ext_arg).text);
	if (uring->missing_ops[0])
		lack(verdict, EXIT_KERNEL_LACKS, "io_uring operations", "a newer kernel", "%s",
		     uring->missing_ops);
}

static void judge_run(const struct findings *findings, struct need_verdict *verdict)
{
	judge_tracing(findings, true, verdict);
	judge_load(findings, verdict);
}

static void need_part(const char *name, int err, const char *remedy, struct need_verdict *verdict)
{
	if (err)
		lack(verdict, refused(err) ? EXIT_PRIVILEGE : EXIT_KERNEL_LACKS, name,
		     refused(err) ? "run as root (in a container: allow the device)" : remedy, "%s",
		     errno_words(err).text);
}

static void judge_target(const struct findings *findings, struct need_verdict *verdict)
{
	const struct privilege *privilege = &findings->privilege;

	if (!privilege->initial_user_ns || !privilege_has(privilege, CAP_SYS_ADMIN))
		lack(verdict, EXIT_PRIVILEGE, "CAP_SYS_ADMIN", "run as root",
		     "needed to mount and to set up a loop device");
	need_part("/dev/fuse", findings->target.fuse, "modprobe fuse", verdict);
	need_part("/dev/loop-control", findings->target.loop_control, "modprobe loop", verdict);
}

void needs_judge(const struct findings *findings, struct need_verdict verdicts[NEED_COMMANDS])
{
	static void (*const judges[])(const struct findings *, struct need_verdict *) = {
		judge_trace, judge_run, judge_load, judge_target,
	};

	for (int i = 0; i < NEED_COMMANDS; i++) {
		verdicts[i] = (struct need_verdict){ 0 };
		judges[i](findings, &verdicts[i]);
		verdicts[i].possible = !verdicts[i].lack_count;
		verdicts[i].status = verdicts[i].possible ? EXIT_DONE : verdicts[i].lacks[0].status;
	}
}
