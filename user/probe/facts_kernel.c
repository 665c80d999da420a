// SPDX-License-Identifier: GPL-2.0-only
// In: uname, procfs, sysfs. Out: facts on the kernel and its settings.
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "probe/facts.h"
#include "probe/kernel_text.h"

static struct fact *add_line(struct facts *facts, const char *group, const char *key,
			     const char *dir, const char *name)
{
	char line[192];
	int err = kernel_line(dir, name, line, sizeof(line));

	return err ? fact_unknown(facts, group, key, err) : fact_text(facts, group, key, line);
}

/* A sysctl: *value is INT64_MIN when unknown. */
static struct fact *add_sysctl(struct facts *facts, const char *proc, const char *key,
			       const char *name, int64_t *value)
{
	char file[96];
	int err;

	*value = INT64_MIN;
	snprintf(file, sizeof(file), "sys/%s", name);
	err = kernel_s64(proc, file, value);
	return err ? fact_unknown(facts, "settings", key, err)
		   : fact_number(facts, "settings", key, *value);
}

static void add_release(struct facts *facts)
{
	struct utsname name;

	if (uname(&name)) {
		fact_unknown(facts, "kernel", "release", -errno);
		return;
	}
	fact_text(facts, "kernel", "release", name.release);
	fact_text(facts, "kernel", "version", name.version);
	fact_text(facts, "kernel", "arch", name.machine);
}

static void add_cpus(const char *sys, struct facts *facts)
{
	cpu_set_t allowed;

	add_line(facts, "kernel", "cpus_online", sys, "devices/system/cpu/online");
	add_line(facts, "kernel", "cpus_possible", sys, "devices/system/cpu/possible");
	/* More than 1024 CPUs don't fit the fixed set: EINVAL, unknown. */
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		fact_unknown(facts, "kernel", "cpus_allowed", -errno);
	else
		fact_number(facts, "kernel", "cpus_allowed", CPU_COUNT(&allowed));
}

static void add_clocksource(const char *sys, struct facts *facts)
{
	struct fact *fact = add_line(facts, "kernel", "clocksource", sys,
				     "devices/system/clocksource/clocksource0/current_clocksource");

	if (fact->type == FACT_TEXT && (!strcmp(fact->text, "hpet") || !strcmp(fact->text, "acpi_pm")))
		fact_remark(fact, "each reading takes about 1 µs and more: stamps cost that much, too");
}

/* "none [integrity] confidentiality" */
static void add_lockdown(const char *sys, struct facts *facts)
{
	char line[96], *from, *to;
	int err = kernel_line(sys, "kernel/security/lockdown", line, sizeof(line));

	if (err) {
		fact_remark(fact_unknown(facts, "settings", "lockdown", err),
			    err == -ENOENT ? "no lockdown in this kernel, or securityfs is not mounted; "
					     "see bpf_probe_read_kernel for its effect"
					   : "readable for root");
		return;
	}
	from = strchr(line, '[');
	to = from ? strchr(from, ']') : NULL;
	if (to)
		*to = '\0';
	from = to ? from + 1 : line;
	if (!strcmp(from, "confidentiality"))
		fact_remark(fact_text(facts, "settings", "lockdown", from),
			    "refuses kprobes and bpf_probe_read_kernel; tp_btf still works");
	else
		fact_text(facts, "settings", "lockdown", from);
}

/* Whether /proc/kallsyms shows addresses to us; its first page will do. */
static void add_kallsyms(const char *proc, struct facts *facts)
{
	char path[PATH_MAX], line[256];
	int err = kernel_path(proc, "kallsyms", path, sizeof(path));
	FILE *in = err ? NULL : fopen(path, "re");
	bool shown = false;

	if (!in) {
		fact_unknown(facts, "settings", "kallsyms_addresses", err ? err : -errno);
		return;
	}
	for (int i = 0; i < 64 && !shown && fgets(line, sizeof(line), in); i++)
		shown = strtoull(line, NULL, 16) != 0;
	fclose(in);
	if (shown)
		fact_flag(facts, "settings", "kallsyms_addresses", true);
	else
		fact_remark(fact_flag(facts, "settings", "kallsyms_addresses", false),
			    "hidden by kptr_restrict or perf_event_paranoid; no hook here needs them");
}

static void add_sysctls(const char *proc, struct facts *facts)
{
	struct fact *fact;
	int64_t value;

	add_sysctl(facts, proc, "kptr_restrict", "kernel/kptr_restrict", &value);
	fact = add_sysctl(facts, proc, "unprivileged_bpf_disabled", "kernel/unprivileged_bpf_disabled",
			  &value);
	if (value == 0)
		fact_remark(fact, "tracing wants CAP_BPF and CAP_PERFMON all the same");
	fact = add_sysctl(facts, proc, "bpf_stats_enabled", "kernel/bpf_stats_enabled", &value);
	if (value > 0)
		fact_remark(fact, "every program on this machine is timed: about 20 ns more per run");
	fact = add_sysctl(facts, proc, "perf_event_paranoid", "kernel/perf_event_paranoid", &value);
	if (value >= 2)
		fact_remark(fact, "kprobes need CAP_PERFMON");
	fact = add_sysctl(facts, proc, "bpf_jit_enable", "net/core/bpf_jit_enable", &value);
	if (value == 0)
		fact_remark(fact, "programs are interpreted, several times slower: "
				  "sysctl net.core.bpf_jit_enable=1");
	else if (value == 2)
		fact_remark(fact, "debug mode, programs are dumped into the kernel log: set it to 1");
}

void facts_kernel(const struct machine *machine, struct facts *facts)
{
	add_release(facts);
	add_cpus(machine->sys, facts);
	add_clocksource(machine->sys, facts);
	add_lockdown(machine->sys, facts);
	add_kallsyms(machine->proc, facts);
	add_sysctls(machine->proc, facts);
}
