// SPDX-License-Identifier: GPL-2.0-only
// In: an object with programs for functions of the kernel. Out: for each the
// best way that this kernel takes, tried before the load.
#include "kernel/run_hooks.h"

#include <stdio.h>

#include "probe/hook.h"

static const char *const functions[RUN_HOOK_COUNT] = {
	[RUN_HOOK_BIO] = "submit_bio_noacct",
	[RUN_HOOK_SUBMIT] = "blk_mq_submit_bio",
	[RUN_HOOK_FREEZE] = "__bio_queue_enter", /* since 5.16 (c98cb5bbdab1); before, no bio is told there */
	[RUN_HOOK_QOS] = "__rq_qos_throttle",
	[RUN_HOOK_TAG] = "blk_mq_get_tag",
};

static const struct {
	const char *name, *suffix; /* of the program: on_<function><suffix> */
	enum hook_kind kind;
} ways[] = {
	[RUN_UNHOOKED] = { "none", NULL, HOOK_KPROBE },
	[RUN_BY_FENTRY] = { "fentry", "", HOOK_FENTRY },
	[RUN_BY_KPROBE] = { "kprobe", "_kprobe", HOOK_KPROBE },
};

const char *run_way_name(enum run_way way)
{
	return ways[way].name;
}

const char *run_hook_function(enum run_hook hook)
{
	return functions[hook];
}

static struct bpf_program *program_of(struct bpf_object *object, enum run_hook hook, enum run_way way)
{
	char name[64];

	snprintf(name, sizeof(name), "on_%s%s", functions[hook], ways[way].suffix);
	return bpf_object__find_program_by_name(object, name);
}

static enum run_way first_way(struct kernel_types *types, enum run_way best, enum run_hook hook)
{
	enum run_way way = best;

	while (way > RUN_UNHOOKED &&
	       hook_try(types, ways[way].kind, NULL, functions[hook]).step != HOOK_ATTACHED)
		way--;
	return way;
}

static void take(struct run_hooks *hooks, struct bpf_object *object, enum run_hook hook)
{
	for (int way = RUN_BY_KPROBE; way <= RUN_BY_FENTRY; way++) {
		struct bpf_program *program = program_of(object, hook, (enum run_way)way);

		bpf_program__set_autoload(program, hooks->way[hook] == (enum run_way)way);
		bpf_program__set_autoattach(program, false);
	}
}

void run_hooks_choose(struct run_hooks *hooks, struct bpf_object *object, bool has_bio_flags)
{
	struct kernel_types *types = NULL;

	if (hooks->best == RUN_BY_FENTRY && kernel_types_open(&types))
		types = NULL;
	for (int i = 0; i < RUN_HOOK_COUNT; i++) {
		hooks->way[i] = i == RUN_HOOK_BIO && !has_bio_flags
					? RUN_UNHOOKED
					: first_way(types, hooks->best, (enum run_hook)i);
		take(hooks, object, (enum run_hook)i);
	}
	kernel_types_close(types);
}

bool run_hooks_lower(struct run_hooks *hooks)
{
	enum run_way best = RUN_UNHOOKED;

	for (int i = 0; i < RUN_HOOK_COUNT; i++)
		if (hooks->way[i] > best)
			best = hooks->way[i];
	if (best == RUN_UNHOOKED)
		return false;
	hooks->best = best - 1;
	return true;
}

void run_hooks_attach(struct run_hooks *hooks, struct bpf_object *object)
{
	for (int i = 0; i < RUN_HOOK_COUNT; i++) {
		if (hooks->way[i] == RUN_UNHOOKED)
			continue;
		hooks->link[i] = bpf_program__attach(program_of(object, (enum run_hook)i,
								hooks->way[i]));
		if (!hooks->link[i])
			hooks->way[i] = RUN_UNHOOKED;
	}
}

void run_hooks_detach(struct run_hooks *hooks)
{
	for (int i = RUN_HOOK_COUNT; i--;) {
		bpf_link__destroy(hooks->link[i]);
		hooks->link[i] = NULL;
	}
}
