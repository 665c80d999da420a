/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A command's options as one typed table; from it come parsing, --help and
 * the man page.
 */
#ifndef IOSTRATA_OPTIONS_H
#define IOSTRATA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/why.h"
#include <stdio.h>

enum option_type {
	OPTION_FLAG,	 /* bool at offset becomes true */
	OPTION_U64,	 /* uint64_t */
	OPTION_BYTES,	 /* uint64_t */
	OPTION_DURATION, /* uint64_t, ns */
	OPTION_RATE,	 /* double, > 0 */
	OPTION_STRING,	 /* const char *, not copied */
	OPTION_CHOICE,	 /* int: index into `choices` */
	OPTION_HEADING,	 /* no option: a title in --help */
};

struct option_spec {
	const char *name; /* long name, without -- */
	int key;	  /* short letter, or 0 */
	enum option_type type;
	const char *arg;  /* name of the argument in help, NULL for a flag */
	const char *help;
	size_t offset;	  /* into the config */
	const char *const *choices; /* NULL-terminated, for OPTION_CHOICE */
	uint64_t min, max;	    /* bounds of a number; max 0: none */
};

struct command_spec {
	const char *name;	  /* "load" */
	const char *summary;	  /* one line, as `iostrata --help` lists it */
	const char *args;	  /* "TARGET", "[DEVICE...]", "[-- COMMAND...]" or "" */
	/* Paragraphs, which help wraps; then, behind the line OPTIONS_EXAMPLES,
	 * commands that can be copied: one line each, indented by two blanks.
	 */
	const char *description;
	const struct option_spec *options; /* ends with name NULL and key 0, not a heading */
	int args_min, args_max;	  /* positional arguments; max -1: any number */
	/* The exit status, or -errno and *why, which main prints; argv[0] is
	 * the command's name.
	 */
	int (*run)(const struct command_spec *spec, int argc, char **argv, struct why *why);
};

#define OPTIONS_EXAMPLES "Examples:\n"

struct positional {
	char **words;
	int count;
};

/* Parses argv into *config (already holding the defaults) and *rest. On bad
 * usage prints one line to stderr and exits with status 2; --help (and --man,
 * the man page as roff) prints to stdout and exits with 0.
 */
void options_parse(const struct command_spec *spec, int argc, char **argv, void *config,
		   struct positional *rest);

/* Whether this is the table's last row, which is none. */
bool options_end(const struct option_spec *option);
/* At most 80 columns wide, but for examples. */
void options_help(const struct command_spec *spec, FILE *out);
/* iostrata-NAME(8). */
void options_man(const struct command_spec *spec, FILE *out);
/* iostrata --help and iostrata(8): all commands, NULL-terminated, and what they
 * have in common.
 */
void options_help_overview(const struct command_spec *const *commands, FILE *out);
void options_man_overview(const struct command_spec *const *commands, FILE *out);
/* "0 done, 1 failed, …": a paragraph. */
extern const char options_exit_status[];

#endif
