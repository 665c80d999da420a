// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/capability.h>

#include "fixture.h"
#include "probe/cgroup_mounts.h"
#include "probe/errno_words.h"
#include "probe/facts.h"
#include "probe/kernel_text.h"
#include "probe/namespaces.h"
#include "probe/privilege.h"

static int make(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture_make(fixture);
	*state = fixture;
	return 0;
}

static int drop(void **state)
{
	fixture_remove(*state);
	free(*state);
	return 0;
}

static void lines_and_numbers(void **state)
{
	struct fixture *f = *state;
	char line[16];
	uint64_t number = 77;
	int64_t whole = 77;

	fixture_file(f, "text", "write back  \t\nsecond line\n");
	fixture_file(f, "long", "0123456789abcdefghijklmnop\n");
	fixture_file(f, "empty", "");
	fixture_file(f, "minus", "-1\n");
	fixture_file(f, "least", "-9223372036854775809\n");
	assert_int_equal(kernel_line(f->root, "text", line, sizeof(line)), 0);
	assert_string_equal(line, "write back");
	assert_int_equal(kernel_line(f->root, "long", line, sizeof(line)), 0);
	assert_string_equal(line, "0123456789abcde");
	assert_int_equal(kernel_line(f->root, "none", line, sizeof(line)), -ENOENT);
	assert_string_equal(line, "");
	assert_int_equal(kernel_u64(f->root, "text", &number), -EINVAL);
	assert_int_equal(kernel_u64(f->root, "empty", &number), -EINVAL);
	assert_int_equal(kernel_u64(f->root, "minus", &number), -EINVAL);
	assert_int_equal(number, 77);
	assert_int_equal(kernel_s64(f->root, "least", &whole), -ERANGE);
	assert_int_equal(whole, 77);
	assert_int_equal(kernel_s64(f->root, "minus", &whole), 0);
	assert_int_equal(whole, -1);
}

static struct cgroup_mounts mounts_of(const char *text)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	struct cgroup_mounts mounts;

	assert_non_null(in);
	mounts = cgroup_mounts_read(in);
	fclose(in);
	return mounts;
}

static void cgroup_hierarchies(void **state)
{
	struct cgroup_mounts mounts;

	(void)state;
	mounts = mounts_of("25 1 0:22 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
	assert_string_equal(mounts.v2, "/sys/fs/cgroup");
	assert_string_equal(mounts.v1_blkio, "");
	/* Co-mounted v1 controllers, and one whose name only begins alike. */
	mounts = mounts_of("31 24 0:28 / /sys/fs/cgroup/x rw - cgroup cgroup rw,blkiox\n"
			   "32 24 0:29 / /sys/fs/cgroup/blkio,y rw - cgroup cgroup rw,blkio,devices\n"
			   "33 24 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup rw\n");
	assert_string_equal(mounts.v1_blkio, "/sys/fs/cgroup/blkio,y");
	assert_string_equal(mounts.v2, "/sys/fs/cgroup/unified");
	mounts = mounts_of("garbage\n - \n1 2 - cgroup2\n");
	assert_string_equal(mounts.v2, "");
}

static void hard_link(const struct fixture *f, const char *from, const char *to)
{
	char old[512], new[512];

	fixture_path(f, from, old, sizeof(old));
	fixture_path(f, to, new, sizeof(new));
	assert_int_equal(link(old, new), 0);
}

static void time_namespace(void **state)
{
	struct fixture *f = *state;
	int64_t offset_ns = 77;

	/* No time namespaces in this kernel: nothing can be shifted. */
	assert_int_equal(namespace_clock_offset(f->root, &offset_ns), 0);
	assert_int_equal(offset_ns, 0);
	fixture_file(f, "self/ns/time", "");
	fixture_file(f, "self/timens_offsets", "monotonic      -1000        5\nboottime  7 0\n");
	/* Our children will be elsewhere: the offsets are not ours. */
	fixture_file(f, "self/ns/time_for_children", "");
	assert_int_equal(namespace_clock_offset(f->root, &offset_ns), -ENODATA);
}

static void time_namespace_of_our_own(void **state)
{
	struct fixture *f = *state;
	int64_t offset_ns = 77;

	fixture_file(f, "self/ns/time", "");
	hard_link(f, "self/ns/time", "self/ns/time_for_children");
	assert_int_equal(namespace_of(f->root, "time"), NAMESPACE_OTHER);
	assert_int_equal(namespace_of(f->root, "pid"), NAMESPACE_UNKNOWN);
	assert_int_equal(namespace_clock_offset(f->root, &offset_ns), -ENOENT);
	fixture_file(f, "self/timens_offsets", "boottime  7 0\nmonotonic      -1000        5\n");
	assert_int_equal(namespace_clock_offset(f->root, &offset_ns), 0);
	assert_int_equal(offset_ns, -999999999995);
}

static void capabilities(void **state)
{
	struct fixture *f = *state;
	struct privilege p = privilege_read(f->root);

	assert_false(p.known);
	assert_false(privilege_may_trace(&p));
	fixture_file(f, "self/status", "Name:\tx\nCapPrm:\t000001ffffffffff\nCapEff:\t000000c000000000\n");
	p = privilege_read(f->root);
	assert_true(p.known);
	assert_true(privilege_has(&p, CAP_BPF) && privilege_has(&p, CAP_PERFMON));
	assert_false(privilege_has(&p, CAP_SYS_ADMIN));
	assert_true(privilege_may_trace(&p));
	/* In a user namespace of another than the initial kind none counts. */
	fixture_file(f, "self/ns/user", "");
	p = privilege_read(f->root);
	assert_false(privilege_may_trace(&p));
}

static void one_capability_is_not_enough(void **state)
{
	struct fixture *f = *state;
	struct privilege p;

	fixture_file(f, "self/status", "CapEff:\t0000008000000000\n");
	p = privilege_read(f->root);
	assert_true(privilege_has(&p, CAP_BPF));
	assert_false(privilege_may_trace(&p));
}

static const struct fact *find(const struct facts *facts, const char *key)
{
	for (unsigned int i = 0; i < facts->count; i++)
		if (!strcmp(facts->fact[i].key, key))
			return &facts->fact[i];
	fail_msg("no fact %s", key);
	return NULL;
}

static void settings(void **state)
{
	struct fixture *f = *state;
	struct machine machine = { f->root, f->root, f->root };
	struct facts *facts = calloc(1, sizeof(*facts));

	fixture_file(f, "kernel/security/lockdown", "none integrity [confidentiality]\n");
	fixture_file(f, "sys/net/core/bpf_jit_enable", "0\n");
	fixture_file(f, "sys/kernel/perf_event_paranoid", "-1\n");
	fixture_file(f, "kallsyms", "0000000000000000 T _stext\n0000000000000000 T x\n");
	facts_kernel(&machine, facts);
	assert_string_equal(find(facts, "lockdown")->text, "confidentiality");
	assert_non_null(strstr(find(facts, "lockdown")->remark, "bpf_probe_read_kernel"));
	assert_non_null(strstr(find(facts, "bpf_jit_enable")->remark, "sysctl net.core.bpf_jit_enable=1"));
	assert_int_equal(find(facts, "perf_event_paranoid")->number, -1);
	assert_int_equal(find(facts, "kallsyms_addresses")->number, 0);
	/* Unreadable is unknown, with the error. */
	assert_int_equal(find(facts, "kptr_restrict")->type, FACT_UNKNOWN);
	assert_string_equal(find(facts, "kptr_restrict")->text, "ENOENT (2, No such file or directory)");
	free(facts);
}

static void too_many_facts_are_counted(void **state)
{
	struct facts *facts = calloc(1, sizeof(*facts));

	(void)state;
	for (int i = 0; i < FACTS_MAX + 3; i++)
		fact_remark(fact_number(facts, "group", "key", i), "n %d", i);
	assert_int_equal(facts->count, FACTS_MAX);
	assert_int_equal(facts->dropped, 3);
	assert_string_equal(facts->fact[FACTS_MAX - 1].remark, "n 95");
	free(facts);
}

static void errors_in_words(void **state)
{
	(void)state;
	assert_string_equal(errno_words(-EPERM).text, "EPERM (1, Operation not permitted)");
	assert_string_equal(errno_words(524).text, "ENOTSUPP (524, Operation is not supported)");
	assert_string_equal(errno_words(-4000).text, "unknown (4000, unknown error)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines_and_numbers, make, drop),
		cmocka_unit_test(cgroup_hierarchies),
		cmocka_unit_test_setup_teardown(time_namespace, make, drop),
		cmocka_unit_test_setup_teardown(time_namespace_of_our_own, make, drop),
		cmocka_unit_test_setup_teardown(capabilities, make, drop),
		cmocka_unit_test_setup_teardown(one_capability_is_not_enough, make, drop),
		cmocka_unit_test_setup_teardown(settings, make, drop),
		cmocka_unit_test(too_many_facts_are_counted),
		cmocka_unit_test(errors_in_words),
	};

	return cmocka_run_group_tests_name("probe machine", tests, NULL, NULL);
}
