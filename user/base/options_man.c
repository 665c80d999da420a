// SPDX-License-Identifier: GPL-2.0-only
// In: commands' tables. Out: their man pages as roff, section 8.
#include <string.h>

#include "base/options.h"
#include "base/version.h"

/* Text[0, length) with what roff would take for its own made plain. */
static void escape(const char *text, size_t length, FILE *out)
{
	bool line_begins = true;

	for (size_t i = 0; i < length; i++) {
		char c = text[i];

		if (line_begins && (c == '.' || c == '\''))
			fputs("\\&", out);
		if (c == '\\')
			fputs("\\e", out);
		else if (c == '-')
			fputs("\\-", out);
		else if (c == '`')
			fputs("\\(ga", out);
		else if (c == '\'')
			fputs("\\(aq", out);
		else
			fputc(c, out);
		line_begins = c == '\n';
	}
}

static void say(const char *text, FILE *out)
{
	escape(text, strlen(text), out);
}

static void head(const char *page, const char *summary, FILE *out)
{
	fputs(".TH ", out);
	for (const char *c = page; *c; c++)
		fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, out);
	fprintf(out, " 8 \"\" \"iostrata %s\" \"System Administration\"\n.SH NAME\n", IOSTRATA_VERSION);
	say(page, out);
	fputs(" \\- ", out);
	say(summary, out);
	fputc('\n', out);
}

static void paragraphs(const char *text, const char *end, FILE *out)
{
	while (text < end) {
		size_t length = strcspn(text, "\n");

		fputs(length ? "" : ".PP", out);
		escape(text, length, out);
		fputc('\n', out);
		text += length + (text[length] == '\n');
	}
}

static void option(const struct option_spec *option, FILE *out)
{
	fputs(".TP\n", out);
	if (option->key)
		fprintf(out, "\\fB\\-%c\\fR, ", option->key);
	fputs("\\fB\\-\\-", out);
	say(option->name, out);
	fputs("\\fR", out);
	if (option->arg) {
		fputs("=\\fI", out);
		say(option->arg, out);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	say(option->help, out);
	fputs(".\n", out);
}

static void options(const struct option_spec *row, FILE *out)
{
	static const struct option_spec help = { .name = "help", .key = 'h',
						 .help = "Show the options and examples" };

	fputs(".SH OPTIONS\n", out);
	for (; !options_end(row); row++) {
		if (row->type != OPTION_HEADING) {
			option(row, out);
			continue;
		}
		fputs(".SS ", out);
		escape(row->help, strcspn(row->help, ":"), out);
		fputc('\n', out);
	}
	option(&help, out);
}

static void foot(const char *also, FILE *out)
{
	fputs(".SH EXIT STATUS\n", out);
	say(options_exit_status, out);
	fprintf(out, "\n.SH SEE ALSO\n%s\n", also);
}

void options_man(const struct command_spec *spec, FILE *out)
{
	const char *text = spec->description, *examples = strstr(text, OPTIONS_EXAMPLES);
	char page[64];

	snprintf(page, sizeof(page), "iostrata-%s", spec->name);
	head(page, spec->summary, out);
	fprintf(out, ".SH SYNOPSIS\n\\fBiostrata %s\\fR [\\fIOPTION\\fR...]%s", spec->name,
		spec->args[0] ? " " : "");
	say(spec->args, out);
	fputs("\n.SH DESCRIPTION\n", out);
	paragraphs(text, examples ? examples : text + strlen(text), out);
	options(spec->options, out);
	if (examples) {
		fputs(".SH EXAMPLES\n.nf\n", out);
		say(examples + strlen(OPTIONS_EXAMPLES), out);
		fputs("\n.fi\n", out);
	}
	foot("\\fBiostrata\\fR(8)", out);
}

void options_man_overview(const struct command_spec *const *commands, FILE *out)
{
	head("iostrata", "where between application and device does latency accumulate?", out);
	fputs(".SH SYNOPSIS\n\\fBiostrata\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH COMMANDS\n", out);
	for (int i = 0; commands[i]; i++) {
		fprintf(out, ".TP\n\\fBiostrata\\-%s\\fR(8)\n", commands[i]->name);
		say(commands[i]->summary, out);
		fputs(".\n", out);
	}
	foot("\\fBiostrata\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR", out);
}
