// SPDX-License-Identifier: GPL-2.0-only
// In: libbpf objects. Out: their memory mapped, their failures explained, their
// programs' cost and misses.
#include "kernel/session.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "probe/privilege.h"

static int say_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level, (void)format, (void)args;
	return 0;
}

const char *session_libbpf_version(void)
{
	return libbpf_version_string() + strlen("v");
}

/* The list ends with the highest: "0-3,8-11". */
unsigned int session_cpus(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/possible", "re");
	char list[4096] = "";
	unsigned int highest;
	size_t at;

	if (file) {
		list[fread(list, 1, sizeof(list) - 1, file)] = '\0';
		fclose(file);
	}
	at = strlen(list);
	while (at && (list[at - 1] < '0' || list[at - 1] > '9'))
		list[--at] = '\0';
	while (at && list[at - 1] >= '0' && list[at - 1] <= '9')
		at--;
	if (sscanf(list + at, "%u", &highest) != 1)
		return (unsigned int)libbpf_num_possible_cpus();
	return highest + 1;
}

void session_quiet(void)
{
	libbpf_set_print(say_nothing);
}

int session_refused(struct why *why, int err, const char *what)
{
	struct privilege privilege = privilege_read("/proc");
	int64_t memlock = err == -EPERM ? privilege_memlock(&privilege) : -1;

	if (memlock >= 0)
		return why_set(why, err, EXIT_PRIVILEGE,
			       "%s: the kernel refused (%s): it charges BPF's memory to RLIMIT_MEMLOCK, "
			       "%lld KiB here; raise it (ulimit -l unlimited) or run with "
			       "CAP_SYS_RESOURCE",
			       what, why_text(err), (long long)memlock / 1024);
	if (err == -EPERM || err == -EACCES)
		return why_set(why, err, EXIT_PRIVILEGE,
			       "%s: the kernel refused (%s); run as root or with CAP_BPF and "
			       "CAP_PERFMON; `iostrata check` tells more",
			       what, why_text(err));
	if (err == -ENOMEM)
		return why_set(why, err, EXIT_FAILED, "%s: not enough kernel memory", what);
	return why_set(why, err, EXIT_KERNEL_LACKS,
		       "%s: this kernel cannot (%s); `iostrata check` tells what it lacks", what,
		       why_text(err));
}

void *session_map(const struct bpf_map *map, int writable, struct why *why)
{
	size_t size = (size_t)bpf_map__value_size(map) * bpf_map__max_entries(map);
	void *memory = mmap(NULL, size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED,
			    bpf_map__fd(map), 0);

	if (memory != MAP_FAILED)
		return memory;
	why_set(why, -errno, EXIT_FAILED, "cannot map BPF map '%s': %s", bpf_map__name(map),
		why_text(errno));
	return NULL;
}

unsigned int session_programs(const struct bpf_object *object, struct session_program *out,
			      unsigned int count)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object) {
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);
		int fd = bpf_program__fd(program);

		if (fd < 0 || count == SESSION_PROGRAMS_MAX ||
		    bpf_obj_get_info_by_fd(fd, &info, &size))
			continue;
		out[count] = (struct session_program){ .runs = info.run_cnt,
						       .ns = info.run_time_ns,
						       .misses = info.recursion_misses };
		snprintf(out[count].name, sizeof(out[count].name), "%s",
			 bpf_program__name(program) + strlen("on_"));
		count++;
	}
	return count;
}

int session_statistics(void)
{
	int fd = bpf_enable_stats(BPF_STATS_RUN_TIME);

	return fd < 0 ? -errno : fd;
}
