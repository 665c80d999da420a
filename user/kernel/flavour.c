// SPDX-License-Identifier: GPL-2.0-only
// In: a way to load each flavour of the programs. Out: the one that loaded.
#include "kernel/flavour.h"

#include <errno.h>

#include "probe/bpf_feature.h"

const char *const flavour_names[] = { "any", "typed", "raw", NULL };

const char *flavour_name(enum flavour flavour)
{
	return flavour_names[flavour];
}

int flavour_open(struct bpf_object_skeleton *skeleton, enum flavour flavour,
		 const void *(*raw)(size_t *), const char *btf)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .btf_custom_path = btf);

	if (flavour == FLAVOUR_RAW)
		skeleton->data = (void *)raw(&skeleton->data_sz);
	return bpf_object__open_skeleton(skeleton, &options);
}

/* Typed programs can't load without compare-and-exchange: one small program
 * tells sooner than all of them.
 */
static enum flavour first_to_try(void)
{
	return bpf_feature_try(NULL, BPF_FEATURE_CAS) == -EINVAL ? FLAVOUR_RAW : FLAVOUR_TYPED;
}

int flavour_load(enum flavour wanted, int (*try)(void *, enum flavour, struct why *),
		 void *session, enum flavour *loaded, struct why *why)
{
	struct why second = { 0 };
	int err;

	*loaded = wanted == FLAVOUR_ANY ? first_to_try() : wanted;
	err = try(session, *loaded, why);
	if (!err || wanted != FLAVOUR_ANY || *loaded == FLAVOUR_RAW || err == -ENOMEM ||
	    why->status == EXIT_PRIVILEGE)
		return err;
	*loaded = FLAVOUR_RAW;
	err = try(session, FLAVOUR_RAW, &second);
	if (!err)
		*why = (struct why){ 0 };
	return err;
}
