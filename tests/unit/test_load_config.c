// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "load/config.h"
#include "load/io_log.h"

static struct load_config good(void)
{
	struct load_config config = load_defaults();

	config.target = "/dev/x";
	config.rate_per_s = 100;
	config.runtime_ns = 1000000000;
	return config;
}

static void refused(const struct load_config *config, const char *naming)
{
	struct why why = { 0 };

	assert_true(load_config_check(config, &why) < 0);
	assert_int_equal(why.status, EXIT_USAGE);
	if (!strstr(why.text, naming))
		fail_msg("'%s' does not name %s", why.text, naming);
}

#define REFUSED(field, value, naming)                  \
	do {                                           \
		struct load_config config_ = good();   \
		config_.field = value;                 \
		refused(&config_, naming);             \
	} while (0)

static void what_makes_no_sense_is_refused_by_name(void **state)
{
	struct load_config config = good();
	struct why why = { 0 };

	(void)state;
	assert_int_equal(load_config_check(&config, &why), 0);
	REFUSED(rate_per_s, 0, "--rate");
	REFUSED(rate_per_s, 1e-7, "--rate");
	REFUSED(rate_per_s, 1e10, "--rate");
	REFUSED(rate_per_s, __builtin_nan(""), "--rate");
	REFUSED(clients, 2, "--clients");
	REFUSED(think_ns, 5, "--think");
	REFUSED(arrival, LOAD_CLOSED, "--rate");
	REFUSED(runtime_ns, 0, "--runtime");
	REFUSED(runtime_ns, UINT64_MAX, "--runtime");
	REFUSED(timeout_ns, 0, "--timeout");
	REFUSED(block_bytes, 0, "--bs");
	REFUSED(block_bytes, LOAD_BLOCK_MAX + 1, "--bs");
	REFUSED(in_flight_cap, 0, "--in-flight-cap");
	REFUSED(in_flight_cap, LOAD_IN_FLIGHT_MAX + 1, "--in-flight-cap");
	REFUSED(rw, LOAD_RANDWRITE, "--write");
	REFUSED(destroy_data, "/dev/x", "--write");
	REFUSED(sync, LOAD_SYNC_DSYNC, "--sync");
	config.runtime_ns = 0;
	config.requests = 1;
	assert_int_equal(load_config_check(&config, &why), 0);
	config.arrival = LOAD_CLOSED;
	config.rate_per_s = 0;
	config.clients = LOAD_CLIENTS_MAX;
	assert_int_equal(load_config_check(&config, &why), 0);
	config.clients++;
	refused(&config, "--clients");
}

static char *printed(const struct io_log *log)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	io_log_print(log, out);
	fclose(out);
	return text;
}

static void the_log_keeps_what_fits_and_counts_the_rest(void **state)
{
	struct load_config config = good();
	struct iostrata_record record = { .sequence = 7, .planned_ns = 1, .submitted_ns = 2,
					  .reaped_ns = 3, .offset_bytes = 8192, .length_bytes = 4096,
					  .result = -5, .client = 4, .flags = IOSTRATA_F_WRITE,
					  .generation = 99 };
	struct why why = { 0 };
	struct io_log *log;
	char *text;

	(void)state;
	config.requests = 1;
	assert_int_equal(io_log_open(&config, false, &why, &log), 0);
	io_log_add(log, &record, LOAD_ERROR);
	io_log_add(log, &record, LOAD_COMPLETED);
	assert_int_equal(io_log_lost(log), 1);
	text = printed(log);
	assert_string_equal(text, "sequence,planned_ns,submitted_ns,reaped_ns,offset_bytes,length_bytes,"
				  "op,result,outcome,client\n7,1,2,3,8192,4096,write,-5,error,4\n");
	free(text);
	io_log_close(log);
}

static void kernel_stamps_have_columns(void **state)
{
	struct load_config config = good();
	struct iostrata_record record = { 0 };
	struct why why = { 0 };
	struct io_log *log;
	char *text;

	(void)state;
	config.requests = 1;
	record.stamp[IOSTRATA_QUEUED] = 12;
	record.stamp[IOSTRATA_COMPLETED] = 34;
	record.bios_started = 2;
	record.first_bio_ns = 11;
	record.kernel_bytes = 8192;
	record.kernel_flags = IOSTRATA_K_PUNTED | IOSTRATA_K_SPLIT | IOSTRATA_K_END_UNSEEN;
	assert_int_equal(io_log_open(&config, true, &why, &log), 0);
	io_log_add(log, &record, LOAD_COMPLETED);
	text = printed(log);
	assert_non_null(strstr(text, ",client,entered_ns,punted_ns,bio_ns,queued_ns,"));
	assert_non_null(strstr(text, ",returned_ns,first_bio_ns,flush_ns,bios,kernel_bytes,how\n"));
	assert_non_null(strstr(text, "completed,0,,,,12,,,,,,,,34,,11,0,2,8192,punted+split+end_unseen\n"));
	free(text);
	io_log_close(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_makes_no_sense_is_refused_by_name),
		cmocka_unit_test(the_log_keeps_what_fits_and_counts_the_rest),
		cmocka_unit_test(kernel_stamps_have_columns),
	};

	return cmocka_run_group_tests_name("load config", tests, NULL, NULL);
}
