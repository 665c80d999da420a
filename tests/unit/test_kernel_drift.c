// SPDX-License-Identifier: GPL-2.0-only
// Facts of kernels, from small BTFs made here: each shape an event has or had.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/drift.h"
#include "kernel/op_names.h"

/* A prototype is its arguments: capitals point to a struct, p is void *. */
struct event {
	const char *tracepoint, *arguments;
};

enum { EVENTS = 12 };

struct kernel {
	const char *release;
	struct event events[EVENTS];
	const char *flags; /* name of the enum with the request flags; NULL: macros */
	struct kernel_facts facts;
};

static const struct kernel kernels[] = {
	{ "5.10.0", /* the block layer's and io_uring's first shapes */
	  { { "block_rq_issue", "QR" }, { "block_rq_insert", "QR" }, { "block_rq_complete", "Rii" },
	    { "block_bio_queue", "QB" }, { "io_uring_submit_sqe", "pulbb" },
	    { "io_uring_queue_async_work", "pipWi" }, { "io_uring_complete", "pll" } },
	  NULL,
	  { .rq_arg = 1, .bio_arg = 1, .submit_req_arg = KERNEL_NO_ARGUMENT, .submit_user_data_arg = 2,
	    .punt_req_arg = 2, .complete_arg = 1, .has_submit_sqe = true } },
	{ "5.10.262",
	  { { "block_rq_issue", "R" }, { "block_bio_queue", "QB" },
	    { "io_uring_submit_sqe", "ppulibb" }, { "io_uring_queue_async_work", "pipWi" },
	    { "io_uring_complete", "plii" } },
	  NULL,
	  { .bio_arg = 1, .submit_req_arg = 1, .submit_user_data_arg = 2, .punt_req_arg = 2,
	    .complete_arg = 1, .has_submit_sqe = true } },
	{ "5.18",
	  { { "block_rq_issue", "R" }, { "block_bio_queue", "B" },
	    { "io_uring_submit_sqe", "pplui" }, { "io_uring_queue_async_work", "ppluiWi" },
	    { "io_uring_complete", "pplii" } },
	  NULL,
	  { .submit_req_arg = 1, .submit_user_data_arg = 2, .punt_req_arg = 1, .complete_arg = 2,
	    .has_submit_sqe = true } },
	{ "6.1",
	  { { "block_rq_issue", "R" }, { "block_bio_queue", "B" }, { "io_uring_submit_sqe", "Kb" },
	    { "io_uring_queue_async_work", "Ki" }, { "io_uring_complete", "ppliill" } },
	  NULL,
	  { .submit_user_data_arg = 2, .complete_arg = 2, .has_submit_sqe = true } },
	{ "6.12", /* flags in an enum without a name */
	  { { "block_rq_issue", "R" }, { "block_bio_queue", "B" }, { "io_uring_submit_req", "K" },
	    { "io_uring_queue_async_work", "Ki" }, { "io_uring_complete", "ppliill" },
	    { "nvme_setup_cmd", "Rp" }, { "nvme_sq", "Rii" }, { "nvme_complete_rq", "R" } },
	  "",
	  { .submit_user_data_arg = 2, .complete_arg = 2, .has_submit_req = true,
	    .flush_seq_mask = 1 << 1, .io_stat_mask = 1 << 8 } },
	{ "7.3",
	  { { "block_rq_issue", "R" }, { "block_bio_queue", "B" }, { "io_uring_submit_req", "K" },
	    { "io_uring_queue_async_work", "Kb" }, { "io_uring_complete", "pvC" },
	    { "nvme_setup_cmd", "Rp" } },
	  "rqf_flags",
	  { .submit_user_data_arg = 2, .complete_arg = 2, .complete_has_cqe = 1,
	    .has_submit_req = true, .flush_seq_mask = 1 << 1, .io_stat_mask = 1 << 8 } },
};

struct ids {
	int of[128]; /* type by the letter of a prototype */
};

static int pointer_to(struct btf *btf, const char *structure)
{
	return btf__add_ptr(btf, btf__add_struct(btf, structure, 8));
}

static struct ids add_types(struct btf *btf)
{
	struct ids ids = { { 0 } };
	int u64 = btf__add_int(btf, "long long unsigned int", 8, 0);

	ids.of['l'] = btf__add_typedef(btf, "u64", u64);
	ids.of['i'] = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	ids.of['u'] = btf__add_int(btf, "unsigned char", 1, 0);
	ids.of['b'] = btf__add_int(btf, "_Bool", 1, BTF_INT_BOOL);
	ids.of['p'] = btf__add_ptr(btf, 0);
	ids.of['v'] = btf__add_const(btf, ids.of['p']);
	ids.of['Q'] = pointer_to(btf, "request_queue");
	ids.of['R'] = pointer_to(btf, "request");
	ids.of['B'] = pointer_to(btf, "bio");
	ids.of['K'] = pointer_to(btf, "io_kiocb");
	ids.of['W'] = pointer_to(btf, "io_wq_work");
	ids.of['C'] = pointer_to(btf, "io_uring_cqe");
	return ids;
}

static void add_event(struct btf *btf, const struct ids *ids, const struct event *event)
{
	char name[96];
	int proto = btf__add_func_proto(btf, 0);

	assert_int_equal(btf__add_func_param(btf, "__data", ids->of['p']), 0);
	for (const char *at = event->arguments; *at; at++)
		assert_int_equal(btf__add_func_param(btf, "", ids->of[(unsigned char)*at]), 0);
	snprintf(name, sizeof(name), "btf_trace_%s", event->tracepoint);
	assert_true(btf__add_typedef(btf, name, btf__add_ptr(btf, proto)) > 0);
}

static struct btf *btf_of(const struct kernel *kernel)
{
	struct btf *btf = btf__new_empty();
	struct ids ids;

	assert_non_null(btf);
	ids = add_types(btf);
	for (int i = 0; i < EVENTS && kernel->events[i].tracepoint; i++)
		add_event(btf, &ids, &kernel->events[i]);
	if (!kernel->flags)
		return btf;
	assert_true(btf__add_enum(btf, kernel->flags[0] ? kernel->flags : NULL, 4) > 0);
	assert_int_equal(btf__add_enum_value(btf, "__RQF_FLUSH_SEQ", 1), 0);
	assert_int_equal(btf__add_enum_value(btf, "__RQF_IO_STAT", 8), 0);
	assert_true(btf__add_enum(btf, NULL, 4) > 0);
	assert_int_equal(btf__add_enum_value(btf, "BIO_TRACE_COMPLETION", 7), 0);
	return btf;
}

static void each_kernel(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		struct btf *btf = btf_of(&kernels[i]);
		struct kernel_facts wanted = kernels[i].facts, got;
		struct why why = { 0 };

		if (!kernels[i].flags)
			wanted.flush_seq_mask = 1 << 4, wanted.io_stat_mask = 1 << 13;
		print_message("%s\n", kernels[i].release);
		assert_int_equal(kernel_facts_of(btf, &got, &why), 0);
		assert_int_equal(got.rq_arg, wanted.rq_arg);
		assert_int_equal(got.bio_arg, wanted.bio_arg);
		assert_int_equal(got.submit_req_arg, wanted.submit_req_arg);
		assert_int_equal(got.submit_user_data_arg, wanted.submit_user_data_arg);
		assert_int_equal(got.punt_req_arg, wanted.punt_req_arg);
		assert_int_equal(got.complete_arg, wanted.complete_arg);
		assert_int_equal(got.complete_has_cqe, wanted.complete_has_cqe);
		assert_int_equal(got.flush_seq_mask, wanted.flush_seq_mask);
		assert_int_equal(got.io_stat_mask, wanted.io_stat_mask);
		assert_int_equal(got.bio_queued_mask, kernels[i].flags ? 1 << 7 : 0);
		assert_int_equal(got.bio_throttled_mask, 0);
		assert_int_equal(got.has_submit_req, wanted.has_submit_req);
		assert_int_equal(got.has_submit_sqe, wanted.has_submit_sqe);
		btf__free(btf);
	}
}

/* What is no kernel's BTF, or not of one that can be traced. */
static void no_block_events(void **state)
{
	static const struct event nothing[] = {
		{ "block_bio_queue", "B" }, /* no block_rq_issue */
		{ "block_rq_issue", "" }, { "block_rq_issue", "ii" }, { "block_rq_issue", "BK" },
		{ "block_rq_issue", "pp" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++) {
		struct kernel kernel = { .events = { nothing[i] } };
		struct btf *btf = btf_of(&kernel);
		struct kernel_facts facts;
		struct why why = { 0 };

		assert_true(kernel_facts_of(btf, &facts, &why) < 0);
		assert_int_equal(why.status, EXIT_KERNEL_LACKS);
		assert_non_null(strstr(why.text, "block_rq_issue"));
		btf__free(btf);
	}
}

static void write_file(char *path, const void *bytes, size_t size)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

/* --btf: a file with it, one without, half of one, none. */
static void from_a_file(void **state)
{
	struct btf *btf = btf_of(&kernels[1]);
	uint32_t size;
	const void *bytes = btf__raw_data(btf, &size);
	struct { char path[32]; size_t size; int err; } files[] = {
		{ "/tmp/iostrata-btf.XXXXXX", size, 0 }, { "/tmp/iostrata-btf.XXXXXX", size / 2, 1 },
		{ "/tmp/iostrata-btf.XXXXXX", 0, 1 },
	};
	struct kernel_facts facts;
	struct why why;

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		why = (struct why){ 0 };
		write_file(files[i].path, bytes, files[i].size);
		assert_int_equal(kernel_facts_read(files[i].path, &facts, &why) != 0, files[i].err);
		assert_int_equal(why.status, files[i].err ? EXIT_USAGE : EXIT_DONE);
		assert_int_equal(kernel_btf_check(files[i].path, &why) != 0, files[i].err);
		unlink(files[i].path);
	}
	why = (struct why){ 0 };
	assert_true(kernel_facts_read("/no/such/file", &facts, &why) < 0);
	assert_int_equal(why.status, EXIT_USAGE);
	assert_non_null(strstr(why.text, "/no/such/file: No such file"));
	btf__free(btf);
}

/* Operations have their numbers from the same file, under both enums' names. */
static void operations(void **state)
{
	static const char *const enums[] = { "req_op", "req_opf" };
	static struct op_names names;
	char path[32];
	uint32_t size;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct btf *btf = btf__new_empty();
		const void *bytes;

		assert_true(btf__add_enum(btf, enums[i], 4) > 0);
		assert_int_equal(btf__add_enum_value(btf, "REQ_OP_READ", 0), 0);
		assert_int_equal(btf__add_enum_value(btf, "REQ_OP_WRITE_SAME", 7), 0);
		assert_int_equal(btf__add_enum_value(btf, "REQ_OP_DRV_IN", 34), 0);
		bytes = btf__raw_data(btf, &size);
		snprintf(path, sizeof(path), "/tmp/iostrata-btf.XXXXXX");
		write_file(path, bytes, size);
		op_names_read(&names, path);
		unlink(path);
		assert_string_equal(names.name[0], "read");
		assert_string_equal(names.name[7], "write same");
		assert_string_equal(names.name[34], "driver in");
		assert_string_equal(names.name[1], "op 1");
		btf__free(btf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kernel), cmocka_unit_test(no_block_events),
		cmocka_unit_test(from_a_file), cmocka_unit_test(operations),
	};

	return cmocka_run_group_tests_name("kernel drift", tests, NULL, NULL);
}
