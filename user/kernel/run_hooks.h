/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The run programs on functions of the kernel, each by fentry, else by kprobe,
 * else not at all: its layer is folded then. In: an opened object. Out: the
 * programs chosen by trying, later attached.
 */
#ifndef IOSTRATA_KERNEL_RUN_HOOKS_H
#define IOSTRATA_KERNEL_RUN_HOOKS_H

#include <bpf/libbpf.h>
#include <stdbool.h>

enum run_hook {
	RUN_HOOK_BIO,	 /* submit_bio_noacct: `bio` */
	RUN_HOOK_SUBMIT, /* blk_mq_submit_bio: which task waits for a tag */
	RUN_HOOK_FREEZE, /* __bio_queue_enter */
	RUN_HOOK_QOS,	 /* __rq_qos_throttle */
	RUN_HOOK_TAG,	 /* blk_mq_get_tag */
	RUN_HOOK_COUNT,
};

/* From none to the best. */
enum run_way { RUN_UNHOOKED, RUN_BY_KPROBE, RUN_BY_FENTRY };

struct run_hooks {
	enum run_way best; /* that may be tried */
	enum run_way way[RUN_HOOK_COUNT];
	struct bpf_link *link[RUN_HOOK_COUNT];
};

/* Between open and load: says which programs are loaded. `has_bio_flags`: what
 * the one at `bio` needs to tell a bio that comes twice.
 */
void run_hooks_choose(struct run_hooks *hooks, struct bpf_object *object, bool has_bio_flags);
/* After a refused load: whether the next best way is worth another. */
bool run_hooks_lower(struct run_hooks *hooks);
/* What can't be attached after all becomes RUN_UNHOOKED. */
void run_hooks_attach(struct run_hooks *hooks, struct bpf_object *object);
void run_hooks_detach(struct run_hooks *hooks);
/* "fentry", "kprobe", "none". */
const char *run_way_name(enum run_way way);
const char *run_hook_function(enum run_hook hook);

#endif
