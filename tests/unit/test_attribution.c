// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "attribute/attribution.h"

static uint64_t random_next(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15ull;
	uint64_t z = *state;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* A direct read on a request-based device, as it is seen without `bio`. */
static struct iostrata_record plain(void)
{
	struct iostrata_record record = {
		.generation = 5, .planned_ns = 1000000, .submitted_ns = 1001000, .reaped_ns = 3000000,
		.kernel_generation = 5, .bios_started = 1, .bios_done = 1, .issued_depth = 1,
	};

	record.stamp[IOSTRATA_ENTERED] = 1002000;
	record.stamp[IOSTRATA_QUEUED] = 1004000;
	record.stamp[IOSTRATA_ALLOCATED] = 1008000;
	record.stamp[IOSTRATA_FIRST_ISSUED] = record.stamp[IOSTRATA_ISSUED] = 1016000;
	record.stamp[IOSTRATA_COMPLETED] = 2900000;
	record.stamp[IOSTRATA_RETURNED] = 2950000;
	return record;
}

static uint64_t row_sum(struct attribution *attribution, const char *layer)
{
	struct attribution_share share[ATTRIBUTION_ROWS];
	unsigned int count = attribution_shares(attribution, share);

	for (unsigned int i = 0; i < count; i++)
		if (!strcmp(share[i].layer, layer))
			return share[i].dist->hist.sum;
	return UINT64_MAX;
}

static uint64_t all_rows(struct attribution *attribution)
{
	struct attribution_share share[ATTRIBUTION_ROWS];
	unsigned int count = attribution_shares(attribution, share);
	uint64_t sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += share[i].dist->hist.sum;
	return sum;
}

static void add_one(struct attribution *attribution, struct iostrata_record record)
{
	assert_int_equal(attribution_init(attribution), 0);
	attribution_add(attribution, &record);
	assert_int_equal(attribution->counts.stage_sum_mismatch, 0);
	assert_int_equal(all_rows(attribution), record.reaped_ns - record.planned_ns);
}

static void a_plain_read(void **state)
{
	static const struct { const char *layer; uint64_t ns; } want[] = {
		{ "backlog", 1000 }, { "submit", 1000 }, { "fs+throttle", 2000 }, { "tag", 4000 },
		{ "sched", 8000 }, { "device", 1884000 }, { "return", 50000 },
		{ "reap", 50000 },
	};
	struct attribution a;

	(void)state;
	add_one(&a, plain());
	for (unsigned int i = 0; i < sizeof(want) / sizeof(*want); i++)
		assert_int_equal(row_sum(&a, want[i].layer), want[i].ns);
	assert_int_equal(a.row_count, 1 + sizeof(want) / sizeof(*want));
	attribution_free(&a);
}

/* More than 32 bits of nanoseconds hold, in one layer. */
static void twenty_seconds_are_twenty_seconds(void **state)
{
	struct attribution a;
	struct iostrata_record record = plain();
	uint64_t long_ns = 20000000000ull;

	(void)state;
	record.stamp[IOSTRATA_COMPLETED] += long_ns;
	record.stamp[IOSTRATA_RETURNED] += long_ns;
	record.reaped_ns += long_ns;
	assert_int_equal(attribution_init(&a), 0);
	attribution_add(&a, &record);
	assert_int_equal(a.counts.whole, 1);
	assert_int_equal(row_sum(&a, "device"), long_ns + 2900000 - 1016000);
	assert_int_equal(all_rows(&a), long_ns + 2000000);
	assert_int_equal(dist_quantile(&a.total, 9900), long_ns + 2000000);
	attribution_free(&a);
}

static void every_boundary_seen(void **state)
{
	static const char *const layers[] = { "backlog", "submit", "fs", "punt", "throttle", "tag",
					      "plug", "scheduler", "driver", "requeue", "device",
					      "irq", "complete", "return", "reap" };
	struct iostrata_record record = plain();
	struct attribution a;

	(void)state;
	for (int i = IOSTRATA_ENTERED; i <= IOSTRATA_RETURNED; i++)
		record.stamp[i] = 1002000 + 1000 * (uint64_t)(i - IOSTRATA_ENTERED);
	add_one(&a, record);
	for (unsigned int i = 0; i < sizeof(layers) / sizeof(*layers); i++)
		assert_int_not_equal(row_sum(&a, layers[i]), UINT64_MAX);
	assert_int_equal(a.row_count, 1 + sizeof(layers) / sizeof(*layers));
	attribution_free(&a);
}

static void folds_are_named(void **state)
{
	struct iostrata_record hit = plain(), merged = plain(), bio_based = plain(), punted = plain();
	struct attribution a;

	(void)state;
	memset(&hit.stamp[IOSTRATA_QUEUED], 0, sizeof(hit.stamp[0]) * (IOSTRATA_COMPLETED - IOSTRATA_QUEUED + 1));
	hit.bios_started = hit.bios_done = 0;
	add_one(&a, hit);
	assert_int_equal(row_sum(&a, "fs+return"), 1948000);
	attribution_free(&a);

	merged.stamp[IOSTRATA_ALLOCATED] = 0;
	add_one(&a, merged);
	assert_int_equal(row_sum(&a, "tag+sched"), 12000);
	attribution_free(&a);

	for (int i = IOSTRATA_ALLOCATED; i <= IOSTRATA_ISSUED; i++)
		bio_based.stamp[i] = 0;
	add_one(&a, bio_based);
	assert_int_equal(row_sum(&a, "tag+device"), 1896000);
	attribution_free(&a);
	bio_based.kernel_flags = IOSTRATA_K_BIO_BASED;
	add_one(&a, bio_based);
	assert_int_equal(row_sum(&a, "device"), 1896000);
	attribution_free(&a);

	struct iostrata_record unseen = plain();

	unseen.stamp[IOSTRATA_COMPLETED] = 0;
	add_one(&a, unseen);
	assert_int_equal(row_sum(&a, "device+return"), 1934000);
	attribution_free(&a);

	punted.stamp[IOSTRATA_PUNTED] = 1003000;
	add_one(&a, punted);
	assert_int_equal(row_sum(&a, "fs"), 1000);
	assert_int_equal(row_sum(&a, "punt+throttle"), 1000);
	attribution_free(&a);
}

static void earlier_bios_are_taken_out_of_what_ends_at_queued(void **state)
{
	struct iostrata_record record = plain();
	struct attribution a;

	(void)state;
	record.first_bio_ns = 1003500;
	add_one(&a, record);
	assert_int_equal(row_sum(&a, "fs+throttle"), 1500);
	assert_int_equal(row_sum(&a, "earlier"), 500);
	attribution_free(&a);

	record.first_bio_ns = record.stamp[IOSTRATA_QUEUED];
	add_one(&a, record);
	assert_int_equal(row_sum(&a, "fs+throttle"), 2000);
	assert_int_equal(row_sum(&a, "earlier"), UINT64_MAX);
	attribution_free(&a);
}

/* The request of a bio without data is never issued: a flush carries it. */
static void a_bio_without_data_is_all_flush(void **state)
{
	struct iostrata_record record = plain();
	struct attribution a;

	(void)state;
	record.stamp[IOSTRATA_FIRST_ISSUED] = record.stamp[IOSTRATA_ISSUED] = 0;
	record.flush_ns = record.stamp[IOSTRATA_COMPLETED] - record.stamp[IOSTRATA_ALLOCATED];
	add_one(&a, record);
	assert_int_equal(row_sum(&a, "flush"), 1892000);
	assert_int_equal(row_sum(&a, "sched+device"), UINT64_MAX);
	attribution_free(&a);
}

static void a_flush_of_unknown_size_is_named_a_fold(void **state)
{
	struct iostrata_record record = plain();
	struct attribution a;

	(void)state;
	record.kernel_flags = IOSTRATA_K_FLUSH_UNSEEN;
	add_one(&a, record);
	assert_int_equal(row_sum(&a, "device+flush"), 1884000);
	assert_int_equal(row_sum(&a, "device"), UINT64_MAX);
	attribution_free(&a);
}

static void a_flush_is_taken_out_of_the_device(void **state)
{
	struct iostrata_record record = plain();
	struct attribution a;

	(void)state;
	record.flush_ns = 1000000;
	add_one(&a, record);
	assert_int_equal(row_sum(&a, "device"), 884000);
	assert_int_equal(row_sum(&a, "flush"), 1000000);
	attribution_free(&a);
}

static void jitter_is_clamped_disorder_is_not(void **state)
{
	struct iostrata_record jitter = plain(), disorder = plain(), late = plain();
	struct attribution a;

	(void)state;
	jitter.stamp[IOSTRATA_ENTERED] = jitter.submitted_ns - 999;
	add_one(&a, jitter);
	assert_int_equal(a.counts.clock_jitter, 1);
	assert_int_equal(row_sum(&a, "submit"), 0);
	assert_int_equal(row_sum(&a, "fs+throttle"), 3000);
	attribution_free(&a);

	late.stamp[IOSTRATA_RETURNED] = late.reaped_ns + 999;
	add_one(&a, late);
	assert_int_equal(a.counts.clock_jitter, 1);
	assert_int_equal(row_sum(&a, "reap"), 0);
	attribution_free(&a);

	disorder.stamp[IOSTRATA_ISSUED] = disorder.stamp[IOSTRATA_COMPLETED] + 1000;
	add_one(&a, disorder);
	assert_int_equal(a.counts.order_violations, 1);
	assert_int_equal(row_sum(&a, "unattributed"), disorder.reaped_ns - disorder.submitted_ns);
	attribution_free(&a);
}

static void the_pair_out_of_order_is_named(void **state)
{
	struct iostrata_record early = plain(), late = plain();
	struct attribution a;
	char text[100];

	(void)state;
	early.stamp[IOSTRATA_PREPARED] = early.stamp[IOSTRATA_ISSUED] + 5000;
	late.stamp[IOSTRATA_RETURNED] = late.reaped_ns + 5000;
	assert_int_equal(attribution_init(&a), 0);
	attribution_violations(&a.counts, text, sizeof(text));
	assert_string_equal(text, "");
	attribution_add(&a, &early);
	attribution_add(&a, &early);
	attribution_add(&a, &late);
	attribution_violations(&a.counts, text, sizeof(text));
	assert_string_equal(text, "prepared after issued (2), returned after reaped (1)");
	assert_int_equal(a.counts.order_violations, 3);
	attribution_free(&a);
}

/* tag is 4000 ns in all; more than that is not believed. */
static void the_parts_of_tag_sum_to_it(void **state)
{
	struct iostrata_record record = plain();
	struct attribution_part part[TAG_PARTS];
	struct attribution a;

	(void)state;
	record.qos_ns = 700;
	record.tag_wait_ns = 3000;
	assert_int_equal(attribution_init(&a), 0);
	attribution_add(&a, &record);
	assert_int_equal(attribution_tag_parts(&a, part), 0);
	a.has_tag_parts = true;
	attribution_add(&a, &record);
	assert_int_equal(attribution_tag_parts(&a, part), 3);
	assert_string_equal(part[0].name, "rq_qos");
	assert_int_equal(part[0].dist->hist.sum, 700);
	assert_int_equal(part[1].dist->hist.sum, 3000);
	assert_string_equal(part[2].name, "rest");
	assert_int_equal(part[2].dist->hist.sum, 300);
	record.freeze_ns = 3900;
	attribution_add(&a, &record);
	assert_int_equal(attribution_tag_parts(&a, part), 4);
	assert_int_equal(part[0].dist->hist.sum, 3900);
	assert_int_equal(part[1].dist->hist.sum, 700 + 100);
	assert_int_equal(part[2].dist->hist.sum, 3000);
	assert_int_equal(part[3].dist->hist.sum, 300);
	attribution_free(&a);
}

/* With `bio` seen it lies before that: throttle keeps only its own. */
static void earlier_bios_come_before_throttle(void **state)
{
	struct iostrata_record record = plain();
	struct attribution a;

	(void)state;
	record.stamp[IOSTRATA_BIO] = 1003800;
	record.first_bio_ns = 1002500;
	add_one(&a, record);
	assert_int_equal(row_sum(&a, "fs"), 500);
	assert_int_equal(row_sum(&a, "earlier"), 1300);
	assert_int_equal(row_sum(&a, "throttle"), 200);
	attribution_free(&a);
}

static void what_the_kernel_missed_is_unattributed(void **state)
{
	struct iostrata_record stale = plain(), child = plain(), unreturned = plain();
	struct iostrata_record *const missing[] = { &stale, &child, &unreturned };
	struct attribution a;

	(void)state;
	stale.kernel_generation = 4;
	child.bios_started = 2;
	unreturned.stamp[IOSTRATA_RETURNED] = 0;
	for (int i = 0; i < 3; i++) {
		add_one(&a, *missing[i]);
		assert_int_equal(a.counts.kernel_events_missing, 1);
		assert_int_equal(a.counts.whole, 0);
		assert_int_equal(row_sum(&a, "backlog"), 1000);
		assert_int_equal(row_sum(&a, "unattributed"), 1999000);
		attribution_free(&a);
	}
}

static uint64_t all_tag_parts(struct attribution *attribution)
{
	struct attribution_part part[TAG_PARTS];
	unsigned int count = attribution_tag_parts(attribution, part);
	uint64_t sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += part[i].dist->hist.sum;
	return sum;
}

/* Random stamps: missing, jittered, reversed, repeated. Whatever comes, the
 * layers sum to the total and every I/O is in exactly one state.
 */
static void random_stamps_always_sum(void **state)
{
	struct attribution a;
	uint64_t seed = 42, total = 0;

	(void)state;
	assert_int_equal(attribution_init(&a), 0);
	a.has_tag_parts = true;
	for (int n = 0; n < 30000; n++) {
		struct iostrata_record r = { .generation = random_next(&seed) };
		uint64_t at = 1 + random_next(&seed) % 1000000000;

		r.kernel_generation = (r.generation & IOSTRATA_GENERATION_MASK) + !(random_next(&seed) % 50);
		r.planned_ns = at;
		r.submitted_ns = at += random_next(&seed) % 5000;
		for (int i = IOSTRATA_ENTERED; i <= IOSTRATA_RETURNED; i++) {
			at += random_next(&seed) % (random_next(&seed) % 3 ? 3000 : 200000000);
			if (random_next(&seed) % 4)
				r.stamp[i] = at - (random_next(&seed) % 8 ? 0 : random_next(&seed) % 2500);
		}
		r.reaped_ns = at + random_next(&seed) % 3000;
		r.bios_started = random_next(&seed) % 3;
		r.bios_done = random_next(&seed) % 20 ? r.bios_started : 0;
		r.flush_ns = random_next(&seed) % 5 ? 0 : random_next(&seed) % 400000000;
		r.first_bio_ns = random_next(&seed) % 3 ? 0 : r.planned_ns + random_next(&seed) % 400000000;
		r.kernel_flags = (uint32_t)random_next(&seed) & (2 * IOSTRATA_K_FLUSH_UNSEEN - 1);
		r.freeze_ns = random_next(&seed) % 5 ? 0 : random_next(&seed) % 5000;
		r.qos_ns = random_next(&seed) % 5 ? 0 : random_next(&seed) % 300000000;
		r.tag_wait_ns = random_next(&seed) % 300000000;
		attribution_add(&a, &r);
		total += r.reaped_ns - r.planned_ns;
	}
	assert_int_equal(a.counts.stage_sum_mismatch, 0);
	assert_true(a.counts.rows_full > 0);
	assert_int_equal(all_rows(&a), total);
	assert_true(row_sum(&a, "tag") != UINT64_MAX);
	assert_int_equal(all_tag_parts(&a), row_sum(&a, "tag"));
	assert_int_equal(a.counts.whole + a.counts.kernel_events_missing + a.counts.order_violations, 30000);
	assert_true(a.counts.whole > 1000 && a.counts.order_violations > 1000);
	attribution_free(&a);
}

static void the_tail_is_the_slowest_hundredth(void **state)
{
	struct attribution_share share[ATTRIBUTION_ROWS];
	struct attribution_tail tail;
	struct attribution a;
	unsigned int count;

	(void)state;
	attribution_init(&a);
	for (int i = 0; i < 1000; i++) {
		struct iostrata_record record = plain();

		/* Ten stalled in the device by 100 ms. */
		if (i < 10) {
			record.stamp[IOSTRATA_COMPLETED] += 100000000;
			record.stamp[IOSTRATA_RETURNED] += 100000000;
			record.reaped_ns += 100000000;
		}
		attribution_add(&a, &record);
	}
	tail = attribution_tail(&a);
	assert_int_equal(tail.count, 10);
	assert_int_equal(tail.sum_ns, 10 * 102000000ull);
	count = attribution_shares(&a, share);
	for (unsigned int i = 0; i < count; i++)
		if (!strcmp(share[i].layer, "device"))
			assert_in_range((uint64_t)(share[i].tail_share * 1e6), 998841, 998881);
	assert_string_equal(share[0].layer, "backlog");
	assert_string_equal(share[count - 2].layer, "reap");
	assert_string_equal(share[count - 1].layer, "unattributed");
	assert_true(tail.depth_mean == 1.0);
	attribution_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_read),
		cmocka_unit_test(twenty_seconds_are_twenty_seconds),
		cmocka_unit_test(every_boundary_seen),
		cmocka_unit_test(folds_are_named),
		cmocka_unit_test(earlier_bios_are_taken_out_of_what_ends_at_queued),
		cmocka_unit_test(a_bio_without_data_is_all_flush),
		cmocka_unit_test(a_flush_of_unknown_size_is_named_a_fold),
		cmocka_unit_test(a_flush_is_taken_out_of_the_device),
		cmocka_unit_test(jitter_is_clamped_disorder_is_not),
		cmocka_unit_test(the_pair_out_of_order_is_named),
		cmocka_unit_test(the_parts_of_tag_sum_to_it),
		cmocka_unit_test(earlier_bios_come_before_throttle),
		cmocka_unit_test(what_the_kernel_missed_is_unattributed),
		cmocka_unit_test(random_stamps_always_sum),
		cmocka_unit_test(the_tail_is_the_slowest_hundredth),
	};

	return cmocka_run_group_tests_name("attribution", tests, NULL, NULL);
}
