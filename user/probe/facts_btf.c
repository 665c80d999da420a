// SPDX-License-Identifier: GPL-2.0-only
// In: /sys/kernel/btf. Out: facts on the kernel's type information.
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/facts.h"
#include "probe/kernel_text.h"

static void add_vmlinux(const char *dir, int types_err, struct facts *facts)
{
	char path[PATH_MAX];
	struct stat file;
	int err = kernel_path(dir, "vmlinux", path, sizeof(path));

	if (!err && stat(path, &file))
		err = -errno;
	fact_flag(facts, "btf", "vmlinux_present", !err);
	if (!err)
		fact_number(facts, "btf", "vmlinux_bytes", file.st_size);
	fact_tried(facts, "btf", "usable", types_err);
	if (types_err && err == -ENOENT)
		fact_remark(&facts->fact[facts->count - 1],
			    "%s is missing: a kernel with CONFIG_DEBUG_INFO_BTF", path);
}

static void add_modules(const char *dir, struct facts *facts)
{
	DIR *modules = opendir(dir);
	struct dirent *entry;
	bool nvme = false;
	int count = 0;

	if (!modules) {
		fact_unknown(facts, "btf", "modules", -errno);
		return;
	}
	while ((entry = readdir(modules))) {
		if (entry->d_name[0] == '.' || !strcmp(entry->d_name, "vmlinux"))
			continue;
		count++;
		nvme |= !strcmp(entry->d_name, "nvme_core");
	}
	closedir(modules);
	fact_remark(fact_number(facts, "btf", "modules", count),
		    nvme ? "nvme_core among them; attaching tp_btf there needs CAP_SYS_ADMIN"
			 : "nvme_core not among them: built in, or not loaded");
}

void facts_btf(const struct machine *machine, int types_err, struct facts *facts)
{
	char dir[PATH_MAX];

	if (kernel_path(machine->sys, "kernel/btf", dir, sizeof(dir)))
		return;
	add_vmlinux(dir, types_err, facts);
	add_modules(dir, facts);
}
