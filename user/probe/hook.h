/* SPDX-License-Identifier: GPL-2.0-only
 *
 * One place in the kernel a program can be attached to. In: its kind and name.
 * Out: whether this kernel lets these privileges attach there, found by doing
 * it: a program that only returns is loaded, attached and removed at once.
 * Nothing is pinned; a killed process leaves nothing either.
 */
#ifndef IOSTRATA_HOOK_H
#define IOSTRATA_HOOK_H

#include "probe/kernel_types.h"

enum hook_kind { HOOK_TP_BTF, HOOK_RAW_TP, HOOK_FENTRY, HOOK_KPROBE };
/* How far it came; refusals differ (EPERM at load is not EPERM at attach). */
enum hook_step { HOOK_UNTRIED, HOOK_FIND, HOOK_LOAD, HOOK_ATTACH, HOOK_ATTACHED };

struct hook_outcome {
	enum hook_step step; /* where it failed, or HOOK_ATTACHED */
	int err;	     /* 0: available; else the kernel's negative errno */
	int args;	     /* of the tracepoint or function; -1 unknown */
	char log[160];	     /* the verifier's last line, "" if it said nothing */
};

/* `types` may be NULL (no BTF): kinds that need it fail to find. `module` is
 * the module that can hold the name, or NULL.
 */
struct hook_outcome hook_try(struct kernel_types *types, enum hook_kind kind, const char *module,
			     const char *name);

/* "tp_btf", "raw_tp", "fentry", "kprobe"; "find", "load", "attach". */
const char *hook_kind_name(enum hook_kind kind);
const char *hook_step_name(enum hook_step step);

#endif
