// SPDX-License-Identifier: GPL-2.0-only
// Verdicts from made-up findings: kernels and privileges this machine has not.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

#include "probe/needs.h"

static void set(struct watched *place, int way, enum hook_step step, int err)
{
	place->outcome[way].step = step;
	place->outcome[way].err = err;
}

/* A machine where everything works, for root. */
static struct findings *fine(void)
{
	struct findings *findings = calloc(1, sizeof(*findings));

	findings->memlock_bytes = -1;
	findings->privilege = (struct privilege){ .effective = ~0ull, .last = 40, .known = true,
						  .initial_user_ns = true };
	for (int i = 0; i < WATCHED_COUNT; i++) {
		struct watched *place = &findings->places[i];

		place->function = i == WATCHED_SUBMIT_BIO;
		place->kind[0] = place->function ? HOOK_FENTRY : HOOK_TP_BTF;
		place->kind[1] = place->function ? HOOK_KPROBE : HOOK_RAW_TP;
		place->name = "a_place";
		set(place, 0, HOOK_ATTACHED, 0);
		set(place, 1, HOOK_ATTACHED, 0);
	}
	return findings;
}

static void refuse(struct watched *place, enum hook_step step, int err)
{
	set(place, 0, step, err);
	set(place, 1, step, err);
}

static void expect(const struct findings *findings, enum need_command command,
		   enum exit_status status, const char *what)
{
	struct need_verdict verdicts[NEED_COMMANDS];

	needs_judge(findings, verdicts);
	assert_int_equal(verdicts[command].status, status);
	assert_int_equal(verdicts[command].possible, status == EXIT_DONE);
	if (what)
		assert_string_equal(verdicts[command].lacks[0].what, what);
	if (what)
		assert_non_null(verdicts[command].lacks[0].remedy);
}

static void all_is_here(void **state)
{
	struct findings *f = fine();

	(void)state;
	for (int i = 0; i < NEED_COMMANDS; i++)
		expect(f, (enum need_command)i, EXIT_DONE, NULL);
	/* Optional: no fentry, no kprobe, no NVMe, no ring buffer, no old name. */
	refuse(&f->places[WATCHED_SUBMIT_BIO], HOOK_LOAD, -EPERM);
	refuse(&f->places[WATCHED_NVME_SQ], HOOK_FIND, -ENOENT);
	refuse(&f->places[WATCHED_URING_SUBMIT_SQE], HOOK_FIND, -ENOENT);
	f->features[BPF_FEATURE_RINGBUF] = -EINVAL;
	f->features[BPF_FEATURE_PERCPU_ARRAY] = -EINVAL;
	expect(f, NEED_RUN, EXIT_DONE, NULL);
	free(f);
}

static void expect_programs(const struct findings *findings, enum need_programs trace,
			    enum need_programs run, const char *not_typed)
{
	struct need_verdict verdicts[NEED_COMMANDS];

	needs_judge(findings, verdicts);
	assert_int_equal(verdicts[NEED_TRACE].programs, trace);
	assert_int_equal(verdicts[NEED_RUN].programs, run);
	assert_int_equal(verdicts[NEED_TRACE].possible, trace != NEED_NO_PROGRAMS);
	assert_string_equal(verdicts[NEED_RUN].not_typed.what, not_typed);
}

/* Typed programs need all of tp_btf, raw ones all of raw_tp: half of each is
 * neither.
 */
static void typed_or_raw(void **state)
{
	struct findings *f = fine();

	(void)state;
	set(&f->places[WATCHED_RQ_ISSUE], 1, HOOK_ATTACH, -EPERM);
	expect_programs(f, NEED_TYPED, NEED_TYPED, "");
	set(&f->places[WATCHED_RQ_COMPLETE], 0, HOOK_ATTACH, -EPERM);
	expect_programs(f, NEED_NO_PROGRAMS, NEED_NO_PROGRAMS, "a_place");
	expect(f, NEED_TRACE, EXIT_KERNEL_LACKS, "a_place");
	expect(f, NEED_LOAD, EXIT_DONE, NULL);
	set(&f->places[WATCHED_RQ_ISSUE], 1, HOOK_ATTACHED, 0);
	expect_programs(f, NEED_RAW, NEED_RAW, "a_place");
	free(f);
}

/* Up to 5.11 there is no compare-and-exchange; without BTF of its own a kernel takes raw programs with a file's.
 */
static void older_kernels(void **state)
{
	struct findings *f = fine();

	(void)state;
	refuse(&f->places[WATCHED_URING_SUBMIT_REQ], HOOK_FIND, -ENOENT);
	expect_programs(f, NEED_TYPED, NEED_TYPED, "");
	f->features[BPF_FEATURE_CAS] = -EINVAL;
	expect_programs(f, NEED_RAW, NEED_RAW, "compare-and-exchange");
	refuse(&f->places[WATCHED_URING_SUBMIT_SQE], HOOK_FIND, -ENOENT);
	expect(f, NEED_RUN, EXIT_KERNEL_LACKS, "a_place");
	free(f);

	f = fine();
	f->types_err = -ENOENT;
	for (int i = 0; i < WATCHED_COUNT; i++)
		set(&f->places[i], 0, HOOK_FIND, -ENOENT);
	expect_programs(f, NEED_RAW, NEED_RAW, "BTF");
	f->features[BPF_FEATURE_READ_KERNEL] = -EPERM;
	expect(f, NEED_TRACE, EXIT_KERNEL_LACKS, "bpf_probe_read_kernel");
	free(f);
}

static void bpf_memory_is_bounded(void **state)
{
	struct findings *f = fine();

	(void)state;
	f->memlock_bytes = 80 << 20;
	expect(f, NEED_TRACE, EXIT_DONE, NULL);
	expect(f, NEED_RUN, EXIT_PRIVILEGE, "locked memory");
	f->memlock_bytes = 64 << 10;
	expect(f, NEED_TRACE, EXIT_PRIVILEGE, "locked memory");
	expect(f, NEED_LOAD, EXIT_DONE, NULL);
	free(f);
}

static void a_shifted_clock_is_refused(void **state)
{
	struct findings *f = fine();

	(void)state;
	f->clock_offset_ns = 1000;
	expect(f, NEED_TRACE, EXIT_KERNEL_LACKS, "one clock for kernel and user space");
	expect(f, NEED_RUN, EXIT_KERNEL_LACKS, "one clock for kernel and user space");
	expect(f, NEED_LOAD, EXIT_DONE, NULL);
	free(f);
}

static void each_need_of_run(void **state)
{
	static const enum watched_place places[] = {
		WATCHED_RQ_ISSUE,   WATCHED_RQ_REQUEUE,	  WATCHED_RQ_COMPLETE,
		WATCHED_RQ_INSERT,  WATCHED_BIO_QUEUE,	  WATCHED_BIO_SPLIT,
		WATCHED_GETRQ,	    WATCHED_BIO_COMPLETE, WATCHED_URING_CREATE,
		WATCHED_URING_PUNT, WATCHED_URING_COMPLETE,
	};
	static const enum bpf_feature features[] = { BPF_FEATURE_ARRAY_MMAP,
						     BPF_FEATURE_GLOBAL_DATA, BPF_FEATURE_HASH,
						     BPF_FEATURE_KTIME };

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct findings *f = fine();

		refuse(&f->places[places[i]], HOOK_FIND, -ENOENT);
		expect(f, NEED_RUN, EXIT_KERNEL_LACKS, "a_place");
		free(f);
	}
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		struct findings *f = fine();

		f->features[features[i]] = -EINVAL;
		expect(f, NEED_RUN, EXIT_KERNEL_LACKS, bpf_feature_name(features[i]));
		free(f);
	}
}

/* Privilege is told before the kernel's lack: a user can mend only the first
 * at once, and what the kernel has is seen only then.
 */
static void privilege_comes_first(void **state)
{
	struct findings *f = fine();

	(void)state;
	f->privilege.effective = 0;
	for (int i = 0; i < WATCHED_COUNT; i++)
		refuse(&f->places[i], HOOK_LOAD, -EPERM);
	for (int i = 0; i < BPF_FEATURE_COUNT; i++)
		f->features[i] = -EPERM;
	expect(f, NEED_TRACE, EXIT_PRIVILEGE, "a_place");
	/* BTF shows to anybody that it isn't there. */
	set(&f->places[WATCHED_RQ_ISSUE], 0, HOOK_FIND, -ENOENT);
	expect(f, NEED_TRACE, EXIT_PRIVILEGE, "a_place");
	/* With the privileges a refusal is the kernel's own. */
	f->privilege.effective = 1ull << CAP_BPF | 1ull << CAP_PERFMON;
	expect(f, NEED_TRACE, EXIT_KERNEL_LACKS, NULL);
	expect(f, NEED_TARGET, EXIT_PRIVILEGE, "CAP_SYS_ADMIN");
	free(f);
}

static void no_btf(void **state)
{
	struct findings *f = fine();

	(void)state;
	f->types_err = f->shapes_err = -ENOENT;
	expect(f, NEED_TRACE, EXIT_KERNEL_LACKS, "BTF");
	f->types_err = f->shapes_err = -EACCES;
	expect(f, NEED_TRACE, EXIT_PRIVILEGE, "BTF");
	expect(f, NEED_LOAD, EXIT_DONE, NULL);
	free(f);
}

static void no_ring(void **state)
{
	static const struct { int err; int64_t disabled; enum exit_status status; } rows[] = {
		{ -EPERM, 2, EXIT_KERNEL_LACKS }, { -EPERM, 1, EXIT_PRIVILEGE },
		{ -EPERM, 0, EXIT_PRIVILEGE },	  { -ENOSYS, INT64_MIN, EXIT_KERNEL_LACKS },
		{ -ENOMEM, 0, EXIT_PRIVILEGE },	  { -EINVAL, 0, EXIT_KERNEL_LACKS },
	};
	struct findings *f = fine();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		f->uring.ring = rows[i].err;
		f->uring_disabled = rows[i].disabled;
		expect(f, NEED_LOAD, rows[i].status, "io_uring");
		expect(f, NEED_RUN, rows[i].status, "io_uring");
		expect(f, NEED_TRACE, EXIT_DONE, NULL);
	}
	free(f);
}

static void target_parts(void **state)
{
	struct findings *f = fine();

	(void)state;
	f->target.fuse = -ENOENT;
	expect(f, NEED_TARGET, EXIT_KERNEL_LACKS, "/dev/fuse");
	f->target.loop_control = -EACCES;
	expect(f, NEED_TARGET, EXIT_PRIVILEGE, "/dev/loop-control");
	free(f);
}

static void boundaries(void **state)
{
	struct findings *f = fine();
	struct boundary_state states[IOSTRATA_BOUNDARY_COUNT];

	(void)state;
	refuse(&f->places[WATCHED_SUBMIT_BIO], HOOK_LOAD, -EPERM);
	set(&f->places[WATCHED_SUBMIT_BIO], 1, HOOK_FIND, -ENOENT);
	set(&f->places[WATCHED_GETRQ], 0, HOOK_ATTACH, -EPERM);
	boundaries_judge(f->places, &f->privilege, true, true, 0, states);
	assert_string_equal(states[IOSTRATA_QUEUED].hook, "raw_tp a_place");
	boundaries_judge(f->places, &f->privilege, true, false, -EPERM, states);
	assert_string_equal(states[IOSTRATA_QUEUED].hook, "tp_btf a_place");
	assert_false(states[IOSTRATA_BIO].available);
	assert_string_equal(states[IOSTRATA_BIO].why,
			    "fentry refused at load: EPERM (1, Operation not permitted); "
			    "kprobe: none in this kernel (no kprobe PMU)");
	assert_non_null(strstr(states[IOSTRATA_BIO].fold, "fs+throttle"));
	assert_non_null(strstr(states[IOSTRATA_BIO].remedy, "CONFIG_KPROBE_EVENTS"));
	assert_true(states[IOSTRATA_ALLOCATED].available);
	assert_string_equal(states[IOSTRATA_ALLOCATED].hook, "raw_tp a_place");
	assert_null(states[IOSTRATA_ALLOCATED].remedy);
	assert_false(states[IOSTRATA_PLANNED].available);
	for (int i = 0; i < IOSTRATA_BOUNDARY_COUNT; i++)
		assert_non_null(states[i].fold);
	free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_here),	cmocka_unit_test(typed_or_raw),
		cmocka_unit_test(older_kernels), cmocka_unit_test(bpf_memory_is_bounded),
		cmocka_unit_test(a_shifted_clock_is_refused),
		cmocka_unit_test(each_need_of_run), cmocka_unit_test(privilege_comes_first),
		cmocka_unit_test(no_btf),	cmocka_unit_test(no_ring),
		cmocka_unit_test(target_parts),	cmocka_unit_test(boundaries),
	};

	return cmocka_run_group_tests_name("probe needs", tests, NULL, NULL);
}
