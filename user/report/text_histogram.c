// SPDX-License-Identifier: GPL-2.0-only
// In: an op's kernel histograms. Out: log2 proper, their exact fold, queue and
// service beside each other on one axis:
//
//       from        below     queue                     service
//     262 us     524 us          12 ####                       -
#include "report/text_out.h"

#include <string.h>

#include "buckets.h"

enum { AXIS = 26, GAP = 2, OCTAVES = IOSTRATA_HIST_BUCKETS(0) };

struct pair {
	uint64_t queue[OCTAVES], service[OCTAVES];
	unsigned int first, last; /* of those that hold something; first > last: none do */
	uint64_t most;
	unsigned int count_width, bar_width;
};

/* The fold is exact: every bucket lies in one octave. An empty or absent
 * histogram folds to nothing.
 */
static void fold(const struct hist *from, uint64_t octaves[OCTAVES])
{
	struct hist into = { .size = OCTAVES, .min = UINT64_MAX, .bucket = octaves };

	memset(octaves, 0, OCTAVES * sizeof(*octaves));
	if (from && from->bucket)
		hist_fold(&into, from);
}

static void measure(const struct text *text, struct pair *pair)
{
	unsigned int room = text->style->columns - AXIS;
	struct word count;

	pair->first = OCTAVES;
	for (unsigned int i = 0; i < OCTAVES; i++) {
		uint64_t more = pair->queue[i] > pair->service[i] ? pair->queue[i]
								  : pair->service[i];

		if (!more)
			continue;
		if (pair->first == OCTAVES)
			pair->first = i;
		pair->last = i;
		if (more > pair->most)
			pair->most = more;
	}
	count = format_count(pair->most);
	pair->count_width = (unsigned int)strlen(count.text);
	if (pair->count_width < 7)
		pair->count_width = 7; /* "service" */
	pair->bar_width = room / 2 > pair->count_width + GAP + 1
				  ? room / 2 - pair->count_width - GAP - 1
				  : 1;
}

static void side(struct text *text, const struct pair *pair, uint64_t count, bool last)
{
	unsigned int used = 0;

	fprintf(text->out, "%*s%*s", GAP, "", (int)pair->count_width, format_count(count).text);
	if (count) {
		fputc(' ', text->out);
		used = 1 + text_bar(text, (double)count / (double)pair->most, pair->bar_width);
	}
	if (!last)
		fprintf(text->out, "%*s", (int)(pair->bar_width + 1 - used), "");
}

static void bounds(struct text *text, unsigned int octave)
{
	bool unicode = text->style->unicode;
	uint64_t high = iostrata_hist_high(octave, 0);

	fprintf(text->out, "    %s", format_duration_cell(iostrata_hist_low(octave, 0), unicode).text);
	/* The last octave ends with u64 itself. */
	fprintf(text->out, "  %s", format_duration_cell(high == UINT64_MAX ? high : high + 1, unicode).text);
}

void text_histogram(struct text *text, const struct report_op *op)
{
	struct pair pair = { 0 };

	fold(op->queue, pair.queue);
	fold(op->service, pair.service);
	measure(text, &pair);
	if (!pair.most)
		return;
	text_tone(text, TONE_QUIET);
	fprintf(text->out, "    %9s  %9s%*s%*s%*s%*s%*s\n", "from   ", "below   ", GAP, "",
		(int)pair.count_width, "queue", (int)pair.bar_width + 1, "", GAP, "",
		(int)pair.count_width, "service");
	text_tone(text, TONE_PLAIN);
	for (unsigned int i = pair.first; i <= pair.last; i++) {
		bounds(text, i);
		side(text, &pair, pair.queue[i], false);
		side(text, &pair, pair.service[i], true);
		fputc('\n', text->out);
	}
}
