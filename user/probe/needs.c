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

static const enum watched_place trace_places[] = { WATCHED_RQ_ISSUE, WATCHED_RQ_REQUEUE,
						   WATCHED_RQ_COMPLETE };
static const enum watched_place run_places[] = { WATCHED_URING_CREATE,	  WATCHED_URING_SUBMIT_REQ,
						 WATCHED_URING_PUNT,	  WATCHED_BIO_QUEUE,
						 WATCHED_BIO_SPLIT,	  WATCHED_GETRQ,
						 WATCHED_RQ_INSERT,	  WATCHED_BIO_COMPLETE,
						 WATCHED_URING_COMPLETE };
static const enum bpf_feature trace_features[] = { BPF_FEATURE_HASH, BPF_FEATURE_ARRAY_MMAP,
						   BPF_FEATURE_CAS, BPF_FEATURE_GLOBAL_DATA,
						   BPF_FEATURE_KTIME };

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

static void need_place(const struct findings *findings, enum watched_place index,
		       struct need_verdict *verdict)
{
	const struct watched *place = &findings->places[index];
	bool may = privilege_may_trace(&findings->privilege);
	bool known_absent = !findings->types_err && place->outcome[0].err == -ENOENT;
	char why[256];

	/* The programs are tp_btf ones; the raw_tp twin does not help them yet. */
	if (watched_way(place) == 0)
		return;
	watched_why(place, why, sizeof(why));
	lack(verdict, may || known_absent ? EXIT_KERNEL_LACKS : EXIT_PRIVILEGE, place->name,
	     watched_remedy(place, &findings->privilege, !findings->types_err), "%s", why);
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

static void need_types(const struct findings *findings, struct need_verdict *verdict)
{
	if (!findings->types_err)
		return;
	if (refused(findings->types_err))
		lack(verdict, EXIT_PRIVILEGE, "BTF", "make /sys/kernel/btf/vmlinux readable", "%s",
		     errno_words(findings->types_err).text);
	else
		lack(verdict, EXIT_KERNEL_LACKS, "BTF", "a kernel with CONFIG_DEBUG_INFO_BTF",
		     "/sys/kernel/btf/vmlinux: %s", errno_words(findings->types_err).text);
}

static void need_clock(const struct findings *findings, struct need_verdict *verdict)
{
	if (findings->clock_offset_ns)
		lack(verdict, EXIT_KERNEL_LACKS, "one clock for kernel and user space",
		     "run from the initial time namespace (nsenter -t 1 -T)",
		     "CLOCK_MONOTONIC is shifted by %lld ns in this time namespace",
		     (long long)findings->clock_offset_ns);
}

static void judge_trace(const struct findings *findings, struct need_verdict *verdict)
{
	need_clock(findings, verdict);
	need_types(findings, verdict);
	for (size_t i = 0; i < COUNT(trace_places); i++)
		need_place(findings, trace_places[i], verdict);
	for (size_t i = 0; i < COUNT(trace_features); i++)
		need_feature(findings, trace_features[i], verdict);
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
	judge_trace(findings, verdict);
	for (size_t i = 0; i < COUNT(run_places); i++)
		need_place(findings, run_places[i], verdict);
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
