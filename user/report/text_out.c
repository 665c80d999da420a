// SPDX-License-Identifier: GPL-2.0-only
// In: labels, phrases, shares. Out: wrapped lines, bars. See text_out.h.
#include "report/text_out.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void text_tone(struct text *text, enum text_tone tone)
{
	static const char *const codes[] = { "\033[0m", "\033[1m", "\033[1;31m", "\033[2m" };

	if (text->style->colour)
		fputs(codes[tone], text->out);
}

static void put(struct text *text, const char *string, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)string[i];

		fputc(c < 0x20 || c == 0x7f ? '?' : c, text->out);
		text->column += (c & 0xc0) != 0x80;
	}
}

unsigned int text_width(const char *string)
{
	unsigned int width = 0;

	for (; *string; string++)
		width += ((unsigned char)*string & 0xc0) != 0x80;
	return width;
}

void text_padded(struct text *text, const char *string, unsigned int width)
{
	unsigned int used = text_width(string);

	put(text, string, strlen(string));
	if (used < width)
		fprintf(text->out, "%*s", (int)(width - used), "");
}

void text_heading(struct text *text, const char *title, const char *aside)
{
	fputc('\n', text->out);
	text_tone(text, TONE_STRONG);
	text_begin(text, "", 0);
	text_phrase(text, "%s", title);
	text_tone(text, TONE_PLAIN);
	text->indent = TEXT_LABEL;
	text_words(text, aside);
	text_end(text);
}

void text_begin(struct text *text, const char *label, unsigned int indent)
{
	text->column = 0;
	text->indent = indent;
	text->fresh = true;
	if (*label)
		text_tone(text, TONE_STRONG);
	put(text, label, strlen(label));
	if (*label)
		text_tone(text, TONE_PLAIN);
	if (text->column < indent) {
		fprintf(text->out, "%*s", (int)(indent - text->column), "");
		text->column = indent;
	}
}

/* The space or line break before the next `width` columns. */
static void separate(struct text *text, unsigned int width)
{
	if (!text->fresh && text->column + 1 + width > text->style->columns) {
		fprintf(text->out, "\n%*s", (int)text->indent, "");
		text->column = text->indent;
	} else if (!text->fresh) {
		fputc(' ', text->out);
		text->column++;
	}
	text->fresh = false;
}

void text_words(struct text *text, const char *words)
{
	while (*words) {
		size_t length = strcspn(words, " ");
		char word[256];

		snprintf(word, sizeof(word), "%.*s", (int)length, words);
		if (length) {
			separate(text, text_width(word));
			put(text, words, length);
		}
		words += length + (words[length] == ' ');
	}
}

void text_phrase(struct text *text, const char *format, ...)
{
	char phrase[1024];
	va_list args;
	unsigned int width;

	va_start(args, format);
	vsnprintf(phrase, sizeof(phrase), format, args);
	va_end(args);
	width = text_width(phrase);
	if (text->indent + width > text->style->columns) {
		text_words(text, phrase);
		return;
	}
	separate(text, width);
	put(text, phrase, strlen(phrase));
}

void text_end(struct text *text)
{
	fputc('\n', text->out);
	text->column = 0;
}

/* Unicode has eighths of a block; ASCII whole signs. */
unsigned int text_bar(struct text *text, double share, unsigned int width)
{
	static const char *const eighths[] = { "", "\342\226\217", "\342\226\216", "\342\226\215",
					       "\342\226\214", "\342\226\213", "\342\226\212",
					       "\342\226\211" };
	unsigned int parts = text->style->unicode ? 8 : 1, filled;

	if (!(share > 0))
		return 0;
	filled = (unsigned int)lround(fmin(share, 1) * width * parts);
	filled += !filled;
	for (unsigned int i = 0; i < filled / parts; i++)
		fputs(parts == 8 ? "\342\226\210" : "#", text->out);
	fputs(eighths[filled % parts], text->out);
	return filled / parts + (filled % parts != 0);
}

const char *text_arrow(const struct text *text)
{
	return text->style->unicode ? "\342\206\222" : "->";
}

struct word text_duration(const struct text *text, uint64_t ns)
{
	return format_duration(ns, text->style->unicode);
}

struct word text_plural(uint64_t count, const char *one, const char *many)
{
	struct word number = format_count(count), out;

	snprintf(out.text, sizeof(out.text), "%.27s %.19s", number.text, count == 1 ? one : many);
	return out;
}

static const char *or_unknown(uint64_t value, const struct word *word)
{
	return value == UINT64_MAX ? "unknown" : word->text;
}

void text_depth(struct text *text, const char *capacity, const struct report_depth *depth)
{
	struct word room = format_count(depth->capacity);
	struct word flight_max = format_count(depth->in_flight_max);
	struct word waiting_max = format_count(depth->waiting_max);

	text_phrase(text, "%s %s;", capacity, or_unknown(depth->capacity, &room));
	text_phrase(text, "in flight mean %s, max %s;", format_mean(depth->in_flight_mean).text,
		    or_unknown(depth->in_flight_max, &flight_max));
	text_phrase(text, "waiting mean %s, max %s", format_mean(depth->waiting_mean).text,
		    or_unknown(depth->waiting_max, &waiting_max));
}
