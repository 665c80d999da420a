// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaches some of the peers' programs, or turns the kernel's BPF statistics
 * on, for as long as its stdin is open: all is gone when it ends, however.
 *
 *   hold statistics
 *   hold attach OBJECT PROGRAM...
 *   hold submissions OBJECT      writes `pid ns` of each to stdout at the end
 *
 * Prints "ready" once it holds. Exit status 1 with a line on stderr if not.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int failed(const char *what)
{
	fprintf(stderr, "hold: %s: %s\n", what, strerror(errno));
	return 1;
}

static void hold(void)
{
	char byte;

	puts("ready");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
}

static bool is_named(const struct bpf_program *program, char **names)
{
	for (; *names; names++)
		if (!strcmp(bpf_program__name(program), *names))
			return true;
	return false;
}

/* The named programs of the object at `path`, attached; NULL: errno tells. */
static struct bpf_object *attach(const char *path, char **names)
{
	struct bpf_object *object = bpf_object__open(path);
	struct bpf_program *program;

	if (!object)
		return NULL;
	bpf_object__for_each_program(program, object)
		bpf_program__set_autoload(program, is_named(program, names));
	if (bpf_object__load(object))
		return NULL;
	bpf_object__for_each_program(program, object)
		if (is_named(program, names) && !bpf_program__attach(program))
			return NULL;
	return object;
}

static int hold_statistics(void)
{
	if (bpf_enable_stats(BPF_STATS_RUN_TIME) < 0)
		return failed("BPF statistics");
	hold();
	return 0;
}

static int hold_programs(const char *path, char **names)
{
	if (!attach(path, names))
		return failed(path);
	hold();
	return 0;
}

/* As in peers.bpf.c. */
struct submission {
	uint64_t at_ns, pid;
};

static int write_submissions(struct bpf_object *object)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, "submissions");
	size_t count = bpf_map__max_entries(map);
	const struct submission *seen = mmap(NULL, count * sizeof(*seen), PROT_READ, MAP_SHARED,
					     bpf_map__fd(map), 0);

	if (seen == MAP_FAILED)
		return failed("submissions");
	for (size_t i = 0; i < count && seen[i].pid; i++)
		printf("%llu %llu\n", (unsigned long long)seen[i].pid,
		       (unsigned long long)seen[i].at_ns);
	return fflush(stdout) ? failed("stdout") : 0;
}

static int hold_submissions(const char *path)
{
	char *names[] = { "see_submit", NULL };
	struct bpf_object *object = attach(path, names);

	if (!object)
		return failed(path);
	hold();
	return write_submissions(object);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "statistics"))
		return hold_statistics();
	if (argc > 3 && !strcmp(argv[1], "attach"))
		return hold_programs(argv[2], argv + 3);
	if (argc == 3 && !strcmp(argv[1], "submissions"))
		return hold_submissions(argv[2]);
	fprintf(stderr, "usage: hold statistics | attach OBJECT PROGRAM... | submissions OBJECT\n");
	return 2;
}
