// SPDX-License-Identifier: GPL-2.0-only
// In: a command's table. Out: its --help: paragraphs and options wrapped, the
// examples as they are, so that each can be copied as one line.
#include <string.h>

#include "base/options.h"

enum { WIDTH = 79, HELP_COLUMN = 28, NAME_MAX_WIDTH = HELP_COLUMN - 2 };

const char options_exit_status[] =
	"0 done, 1 failed, 2 bad usage, 3 a privilege is missing, 4 the kernel lacks something, "
	"5 done, but the load was not sustained or data was lost (the report says which). The "
	"cause stands on stderr, in one line.";

/* Words of text[0, length) from `column` on; further lines begin at `indent`. */
static void wrap(const char *text, size_t length, size_t column, size_t indent, FILE *out)
{
	const char *end = text + length;

	for (bool first = true; text < end; first = false) {
		size_t word = strcspn(text, " \n");

		if (word > (size_t)(end - text))
			word = (size_t)(end - text);
		if (!first && column + 1 + word > WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, word, out);
		column += word;
		text += word;
		text += text < end;
	}
	fputc('\n', out);
}

/* Line by line: one that begins with a blank is kept as it is. */
static void paragraphs(const char *text, const char *end, FILE *out)
{
	while (text < end) {
		size_t length = strcspn(text, "\n");

		if (*text == ' ')
			fprintf(out, "%.*s\n", (int)length, text);
		else
			wrap(text, length, 0, 0, out);
		text += length + (text[length] == '\n');
	}
}

static void print_option(const struct option_spec *option, FILE *out)
{
	char name[64];
	int width;

	width = snprintf(name, sizeof(name), option->key ? "  -%c, --%s%s%s" : "     %c--%s%s%s",
			 option->key ? option->key : ' ', option->name, option->arg ? "=" : "",
			 option->arg ? option->arg : "");
	if (width > NAME_MAX_WIDTH)
		fprintf(out, "%s\n%*s", name, HELP_COLUMN, "");
	else
		fprintf(out, "%-*s", HELP_COLUMN, name);
	wrap(option->help, strlen(option->help), HELP_COLUMN, HELP_COLUMN, out);
}

static void print_options(const struct option_spec *options, FILE *out)
{
	static const struct option_spec help = { .name = "help", .key = 'h', .help = "Show this" };

	if (options_end(options) || options->type != OPTION_HEADING)
		fputs("\nOptions:\n", out);
	for (; !options_end(options); options++) {
		if (options->type == OPTION_HEADING)
			fprintf(out, "\n%s\n", options->help);
		else
			print_option(options, out);
	}
	print_option(&help, out);
}

void options_help(const struct command_spec *spec, FILE *out)
{
	const char *text = spec->description, *examples = strstr(text, OPTIONS_EXAMPLES);
	const char *end = examples ? examples : text + strlen(text);

	fprintf(out, "Usage: iostrata %s [OPTION...]%s%s\n", spec->name, spec->args[0] ? " " : "",
		spec->args);
	while (end > text && end[-1] == '\n')
		end--;
	paragraphs(text, end, out);
	print_options(spec->options, out);
	if (examples)
		fprintf(out, "\n%s%s", examples,
			examples[strlen(examples) - 1] == '\n' ? "" : "\n");
}

void options_help_overview(const struct command_spec *const *commands, FILE *out)
{
	static const char exit_title[] = "Exit status: ";

	fputs("Usage: iostrata COMMAND [OPTION...]\n"
	      "Where between application and device does latency accumulate?\n\n", out);
	for (int i = 0; commands[i]; i++)
		fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n`iostrata COMMAND --help` tells a command's options, with examples.\n", out);
	fputs(exit_title, out);
	wrap(options_exit_status, strlen(options_exit_status), strlen(exit_title), 0, out);
}
