// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "target/account.h"
#include "target/control.h"
#include "target/order.h"

static int parse(const char *text, struct order *order)
{
	return order_parse(text, strlen(text), order);
}

static void orders(void **state)
{
	struct order order;

	(void)state;
	assert_int_equal(parse("arm\n", &order), 0);
	assert_int_equal(order.kind, ORDER_ARM);
	assert_int_equal(parse("arm", &order), 0);
	assert_int_equal(parse("drain\n", &order), 0);
	assert_int_equal(order.kind, ORDER_DRAIN);
	assert_int_equal(parse("pause\n", &order), 0);
	assert_int_equal(order.kind, ORDER_PAUSE);
	assert_false(order.has_duration);
	assert_int_equal(parse("pause 100ms\n", &order), 0);
	assert_true(order.has_duration);
	assert_int_equal(order.duration_ns, 100000000);
	assert_int_equal(order_parse("pause 1msXX", 9, &order), 0);
	assert_int_equal(order.duration_ns, 1000000);
}

static void refused_orders(void **state)
{
	static const char *const bad[] = { "", "\n", "arm ", "armed", " arm", "pause ", "pause 10", "pause -1ms",
					   "pause  1ms", "pausing", "arm\narm\n", "pause 1ms 2ms", NULL };
	struct order order;
	char longer[200];

	(void)state;
	for (int i = 0; bad[i]; i++)
		assert_int_equal(parse(bad[i], &order), -EINVAL);
	assert_int_equal(parse("pause 99999999999999s", &order), -ERANGE);
	assert_int_equal(order_parse("arm\0x", 5, &order), -EINVAL);
	memset(longer, 'a', sizeof(longer));
	assert_int_equal(order_parse(longer, sizeof(longer), &order), -EINVAL);
}

static void a_stranger_is_not_armed(void **state)
{
	struct why why = { 0 };

	(void)state;
	assert_int_equal(target_control_arm("/dev/null", &why), 0);
	assert_int_equal(why.text[0], 0);
	assert_int_equal(target_control_arm("/dev/no such device", &why), -ENOENT);
	assert_non_null(strstr(why.text, "/dev/no such device"));
}

static void the_account_is_bounded_and_counts_what_it_drops(void **state)
{
	struct target_account *account = account_map(2);
	struct target_record record = { .index = 0, .offset_bytes = 4096, .length_bytes = 512,
					.arrived_ns = 1, .start_ns = 2, .completed_ns = 4,
					.due_ns = 3, .arming = 1, .op = TARGET_WRITE };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	for (; record.index < 5; record.index++)
		account_add(account, &record);
	assert_int_equal(account_count(account), 2);
	assert_int_equal(account->dropped, 3);
	assert_int_equal(account_write(account, out), 0);
	fclose(out);
	assert_string_equal(text, "index,op,offset_bytes,length_bytes,arrived_ns,start_ns,"
				  "completed_ns,due_ns,arming\n"
				  "0,write,4096,512,1,2,4,3,1\n1,write,4096,512,1,2,4,3,1\n");
	free(text);
	account_unmap(account);
}

static void a_full_disk_is_told(void **state)
{
	struct target_account *account = account_map(1);
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	assert_int_equal(account_write(account, full), -ENOSPC);
	fclose(full);
	account_unmap(account);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders),
		cmocka_unit_test(refused_orders),
		cmocka_unit_test(a_stranger_is_not_armed),
		cmocka_unit_test(the_account_is_bounded_and_counts_what_it_drops),
		cmocka_unit_test(a_full_disk_is_told),
	};

	return cmocka_run_group_tests_name("target control", tests, NULL, NULL);
}
