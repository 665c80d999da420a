/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A command's options as one typed table; from it come parsing, --help and
 * the man page. argp does the work below.
 */
#ifndef IOSTRATA_OPTIONS_H
#define IOSTRATA_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

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
	const char *description;  /* a paragraph and examples, shown after the options */
	const struct option_spec *options; /* ends with name NULL and key 0, not a heading */
	int args_min, args_max;	  /* positional arguments; max -1: any number */
	/* Returns the exit status; argv[0] is the command's name. */
	int (*run)(const struct command_spec *spec, int argc, char **argv);
};

struct positional {
	char **words;
	int count;
};

/* Parses argv into *config (already holding the defaults) and *rest. Returns
 * 0; on bad usage prints one line to stderr and exits with status 2, as argp
 * does; --help prints to stdout and exits with 0.
 */
void options_parse(const struct command_spec *spec, int argc, char **argv, void *config,
		   struct positional *rest);

#endif
