// SPDX-License-Identifier: GPL-2.0-only
// In: a few instructions. Out: a loaded program, or why the kernel refused it.
#include "probe/tiny_program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { VERIFIER_LOG = 4096 };

/* The verifier's reason stands last, before its line of statistics. */
static void keep_reason(char *text, char *log, size_t size)
{
	char *line, *save = NULL, *kept = text + strlen(text);

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (strncmp(line, "processed ", 10))
			kept = line;
	snprintf(log, size, "%s", kept);
}

int tiny_load(enum bpf_prog_type type, const struct bpf_insn *program, size_t count,
	      const struct bpf_prog_load_opts *options, char *log, size_t log_size)
{
	LIBBPF_OPTS(bpf_prog_load_opts, with_log);
	char text[VERIFIER_LOG] = "";
	int fd = bpf_prog_load(type, "iostrata_probe", "GPL", program, count, options), err = -errno;

	if (log)
		log[0] = '\0';
	if (fd >= 0 || !log)
		return fd >= 0 ? fd : err;
	/* Once more for the reason; the first errno is the one to tell. */
	if (options)
		with_log = *options;
	with_log.log_buf = text;
	with_log.log_size = sizeof(text);
	with_log.log_level = 1;
	fd = bpf_prog_load(type, "iostrata_probe", "GPL", program, count, &with_log);
	if (fd >= 0)
		return fd;
	keep_reason(text, log, log_size);
	return err;
}
