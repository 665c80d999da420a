// SPDX-License-Identifier: GPL-2.0-only
// In: two runs and their models. Out: one screen that shows what coordinated
// omission is, and which layer the time was in.
#include "report/demo_text.h"

#include <inttypes.h>
#include <string.h>

#include "report/text_out.h"

enum { NAME = 14, CELL = 12, BAR = 14, LAYERS_MAX = 40 };

static void head(struct text *text, const struct demo_side *open, const struct demo_side *closed)
{
	text_begin(text, "", 0);
	text_tone(text, TONE_STRONG);
	text_words(text, "One device, asked twice. It serves first in, first out, 1 ms each, and pauses "
			 "once for 100 ms.");
	text_tone(text, TONE_PLAIN);
	text_end(text);
	text_begin(text, open->title, 10);
	text_words(text, open->asks);
	text_end(text);
	text_begin(text, closed->title, 10);
	text_words(text, closed->asks);
	text_end(text);
}

static void cells(struct text *text, const char *name, const char *const cell[4])
{
	text_begin(text, "", 0);
	text_padded(text, name, NAME);
	for (int i = 0; i < 4; i++)
		fprintf(text->out, "%*s%*s", i == 2 ? 4 : 0, "", CELL, cell[i]);
	fputc('\n', text->out);
}

static void quantile_row(struct text *text, const char *name, unsigned int permyriad,
			 const struct demo_side *const sides[2])
{
	struct word words[4];
	const char *cell[4];

	for (int i = 0; i < 2; i++) {
		struct dist *measured = &sides[i]->run->load_result->planned_to_reaped;

		words[2 * i] = text_duration(text, dist_quantile(sides[i]->model, permyriad));
		words[2 * i + 1] = text_duration(text, dist_quantile(measured, permyriad));
	}
	for (int i = 0; i < 4; i++)
		cell[i] = words[i].text;
	cells(text, name, cell);
}

static void count_row(struct text *text, const char *name, const uint64_t counts[4])
{
	struct word words[4];
	const char *cell[4];

	for (int i = 0; i < 4; i++) {
		words[i] = format_count(counts[i]);
		cell[i] = words[i].text;
	}
	cells(text, name, cell);
}

static void table(struct text *text, const struct demo_side *open, const struct demo_side *closed,
		  uint64_t bound_ns)
{
	static const char *const heads[] = { "model", "measured", "model", "measured" };
	const struct demo_side *const sides[2] = { open, closed };
	struct dist *dists[4] = { open->model, &open->run->load_result->planned_to_reaped,
				  closed->model, &closed->run->load_result->planned_to_reaped };
	uint64_t counts[4], slow[4];
	char above[64];

	for (int i = 0; i < 4; i++) {
		counts[i] = dists[i]->hist.count;
		slow[i] = dist_above(dists[i], bound_ns);
	}
	text_gap(text);
	text_tone(text, TONE_STRONG);
	fprintf(text->out, "%*s%*s%*s\n", NAME, "", 2 * CELL, open->title, 4 + 2 * CELL, closed->title);
	cells(text, "from planned", heads);
	text_tone(text, TONE_PLAIN);
	count_row(text, "I/Os", counts);
	quantile_row(text, "p50", 5000, sides);
	quantile_row(text, "p95", 9500, sides);
	text_tone(text, TONE_STRONG);
	quantile_row(text, "p99", 9900, sides);
	text_tone(text, TONE_PLAIN);
	quantile_row(text, "max", 10000, sides);
	snprintf(above, sizeof(above), "above %s", text_duration(text, bound_ns).text);
	count_row(text, above, slow);
}

static const struct report_layer *layer_of(const struct report *run, const char *name)
{
	for (unsigned int i = 0; i < run->layer_count; i++)
		if (!strcmp(run->layers[i].layer, name))
			return &run->layers[i];
	return NULL;
}

/* pad: something follows on the line. */
static void layer_side(struct text *text, const struct report_layer *layer, bool pad)
{
	char share[64];
	unsigned int used;

	if (!layer || !layer->dist->hist.count) {
		fprintf(text->out, "%*s%*s", CELL, "-", pad ? 7 + 2 + BAR : 0, "");
		return;
	}
	snprintf(share, sizeof(share), "%s%%", format_percent(layer->share).text);
	fprintf(text->out, "%*s%7s  ", CELL,
		text_duration(text, dist_summarize(layer->dist).mean_ns).text, share);
	used = text_bar(text, layer->share, BAR);
	if (pad)
		fprintf(text->out, "%*s", (int)(BAR - used), "");
}

static void layer_row(struct text *text, const char *name, const struct demo_side *open,
		      const struct demo_side *closed)
{
	text_begin(text, "", 0);
	text_padded(text, name, NAME);
	layer_side(text, layer_of(open->run, name), true);
	layer_side(text, layer_of(closed->run, name), false);
	fputc('\n', text->out);
}

/* Rows in the open run's order; what only the closed one has comes after. */
static void layers(struct text *text, const struct demo_side *open, const struct demo_side *closed)
{
	text_gap(text);
	text_tone(text, TONE_STRONG);
	fprintf(text->out, "%-*s%*s%7s  %-*s%*s%7s\n", NAME, "layer", CELL, "open mean", "share", BAR,
		"", CELL, "closed mean", "share");
	text_tone(text, TONE_PLAIN);
	for (unsigned int i = 0; i < open->run->layer_count; i++)
		if (open->run->layers[i].dist->hist.count)
			layer_row(text, open->run->layers[i].layer, open, closed);
	for (unsigned int i = 0; i < closed->run->layer_count; i++)
		if (closed->run->layers[i].dist->hist.count &&
		    !layer_of(open->run, closed->run->layers[i].layer))
			layer_row(text, closed->run->layers[i].layer, open, closed);
}

static void lesson(struct text *text, const struct demo_side *open, const struct demo_side *closed)
{
	uint64_t open_p99 = dist_quantile(&open->run->load_result->planned_to_reaped, 9900);
	uint64_t closed_p99 = dist_quantile(&closed->run->load_result->planned_to_reaped, 9900);

	text_gap(text);
	text_begin(text, "", 0);
	text_words(text, "Same pause, two answers: the closed client stopped asking while the device stood "
			 "still, so one slow I/O is all it saw. That is coordinated omission:");
	text_phrase(text, "p99 %s", text_duration(text, closed_p99).text);
	text_phrase(text, "instead of %s.", text_duration(text, open_p99).text);
	text_end(text);
	text_begin(text, "open:", 10);
	text_words(text, open->run->verdict_text);
	text_end(text);
	text_begin(text, "closed:", 10);
	text_words(text, closed->run->verdict_text);
	text_end(text);
}

/* Why the exit status is 5, when it is not the load that could not be kept. */
static void losses(struct text *text, const char *side, const struct report *run)
{
	for (unsigned int i = 0; i < run->loss_count; i++) {
		const struct report_count *loss = &run->losses[i];

		if (loss->normal || !loss->count)
			continue;
		text_begin(text, side, 10);
		text_phrase(text, "LOST: %" PRIu64 " %s:", loss->count, loss->name);
		text_words(text, loss->meaning);
		text_end(text);
	}
}

void demo_text(const struct demo_side *open, const struct demo_side *closed, uint64_t bound_ns,
	       const struct text_style *style, FILE *out)
{
	struct text text = { .out = out, .style = style };

	head(&text, open, closed);
	table(&text, open, closed, bound_ns);
	layers(&text, open, closed);
	lesson(&text, open, closed);
	losses(&text, "open:", open->run);
	losses(&text, "closed:", closed->run);
}
