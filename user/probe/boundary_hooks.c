// SPDX-License-Identifier: GPL-2.0-only
// In: what attaching to each place gave. Out: each boundary, available or not,
// by which hook, why not, and what to do.
#include "probe/boundary_hooks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/errno_words.h"

static const struct place {
	const char *name, *module, *serves;
	bool function;
} places_known[] = {
#define WATCHED_PLACE(id, name, module, function, serves) { name, module, serves, function },
	WATCHED_PLACES(WATCHED_PLACE)
#undef WATCHED_PLACE
};

/* Which places stamp a boundary (any of them will do), and what is lost. */
static const struct stamping {
	int place[2]; /* enum watched_place; -1: none */
	const char *fold;
} stampings[IOSTRATA_BOUNDARY_COUNT] = {
	[IOSTRATA_PLANNED] = { { -1, -1 }, "no generator" },
	[IOSTRATA_SUBMITTED] = { { -1, -1 }, "no generator" },
	[IOSTRATA_REAPED] = { { -1, -1 }, "no generator" },
	[IOSTRATA_ENTERED] = { { WATCHED_URING_SUBMIT_REQ, WATCHED_URING_SUBMIT_SQE },
			       "`fs` folds into `submit` (submit+fs)" },
	[IOSTRATA_PUNTED] = { { WATCHED_URING_PUNT, -1 }, "`punt` folds into `fs` (fs+punt)" },
	[IOSTRATA_BIO] = { { WATCHED_SUBMIT_BIO, -1 }, "`throttle` folds into `fs` (fs+throttle)" },
	[IOSTRATA_QUEUED] = { { WATCHED_BIO_QUEUE, -1 }, "`tag` folds into `throttle` (throttle+tag)" },
	[IOSTRATA_ALLOCATED] = { { WATCHED_GETRQ, -1 }, "`sched` folds into `tag` (tag+sched)" },
	[IOSTRATA_INSERTED] = { { WATCHED_RQ_INSERT, -1 },
				"`plug` and `scheduler` show as one (sched)" },
	[IOSTRATA_PREPARED] = { { WATCHED_NVME_SETUP, -1 },
				"`driver` folds into `sched` (sched+driver)" },
	[IOSTRATA_FIRST_ISSUED] = { { WATCHED_RQ_ISSUE, -1 },
				    "`requeue` and `device` fold into `sched`" },
	[IOSTRATA_ISSUED] = { { WATCHED_RQ_ISSUE, -1 }, "`device` folds into `sched` (sched+device)" },
	[IOSTRATA_ANSWERED] = { { WATCHED_NVME_SQ, -1 },
				"`device` ends at the next boundary: `irq` is in it" },
	[IOSTRATA_DRIVER_DONE] = { { WATCHED_NVME_COMPLETE, -1 },
				   "`device` ends at `completed`: `complete` is in it" },
	[IOSTRATA_COMPLETED] = { { WATCHED_RQ_COMPLETE, -1 },
				 "`return` folds into `device` (device+return)" },
	[IOSTRATA_RETURNED] = { { WATCHED_URING_COMPLETE, -1 },
				"`reap` folds into `return` (return+reap)" },
};

void watched_try(struct kernel_types *types, struct watched places[WATCHED_COUNT])
{
	for (int i = 0; i < WATCHED_COUNT; i++) {
		const struct place *known = &places_known[i];
		struct watched *place = &places[i];

		*place = (struct watched){
			.name = known->name,
			.serves = known->serves,
			.function = known->function,
			.in_module = known->module != NULL,
			.kind = { known->function ? HOOK_FENTRY : HOOK_TP_BTF,
				  known->function ? HOOK_KPROBE : HOOK_RAW_TP },
		};
		for (int way = 0; way < WAYS; way++)
			place->outcome[way] = hook_try(types, place->kind[way], known->module, known->name);
	}
}

int watched_way(const struct watched *place)
{
	for (int way = 0; way < WAYS; way++)
		if (place->outcome[way].step == HOOK_ATTACHED)
			return way;
	return -1;
}

static void say_outcome(enum hook_kind kind, const struct hook_outcome *outcome, char *out,
			size_t size)
{
	const char *name = hook_kind_name(kind);
	bool absent = outcome->err == -ENOENT;

	if (absent && kind == HOOK_KPROBE && outcome->step == HOOK_FIND)
		snprintf(out, size, "kprobe: none in this kernel (no kprobe PMU)");
	else if (absent && outcome->step == HOOK_FIND)
		snprintf(out, size, "%s: not in this kernel's BTF", name);
	else if (absent)
		snprintf(out, size, "%s: not in this kernel: ENOENT", name);
	else
		snprintf(out, size, "%s refused at %s: %s%s%s", name, hook_step_name(outcome->step),
			 errno_words(outcome->err).text, outcome->log[0] ? ": " : "", outcome->log);
}

void watched_why(const struct watched *place, char *out, size_t size)
{
	char one[288];
	size_t used = 0;

	out[0] = '\0';
	for (int way = 0; way < WAYS && used < size; way++) {
		if (place->outcome[way].step == HOOK_ATTACHED)
			continue;
		say_outcome(place->kind[way], &place->outcome[way], one, sizeof(one));
		used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "; " : "", one);
	}
}

/* Neither way even finds it: then no privilege would help. With no privilege
 * only BTF can tell.
 */
static bool is_absent(const struct watched *place, const struct privilege *privilege)
{
	const struct hook_outcome *outcome = place->outcome;

	return outcome[0].err == -ENOENT &&
	       (outcome[1].err == -ENOENT || !privilege_may_trace(privilege));
}

const char *watched_remedy(const struct watched *place, const struct privilege *privilege,
			   bool have_types)
{
	if (watched_way(place) >= 0)
		return NULL;
	if (!have_types && !privilege_may_trace(privilege))
		return "run as root, or with CAP_BPF and CAP_PERFMON, in the initial user namespace";
	if (have_types && is_absent(place, privilege))
		return strncmp(place->name, "nvme_", 5)
			       ? "a kernel that has it; nothing can be set for it"
			       : "it comes with the NVMe driver (modprobe nvme); without such a device "
				 "there is nothing to do";
	if (!privilege_may_trace(privilege))
		return "run as root, or with CAP_BPF and CAP_PERFMON, in the initial user namespace";
	if (place->function)
		return "a kernel with CONFIG_KPROBE_EVENTS, or one that lets fentry attach";
	return "the privileges suffice: look for lockdown, an LSM or a seccomp filter that refuses";
}

/* The way our programs would take. */
static int way_used(const struct watched *place, bool raw)
{
	bool second = !place->function && (raw || place->in_module);

	return second && place->outcome[1].step == HOOK_ATTACHED ? 1 : watched_way(place);
}

static void judge_hooked(const struct stamping *stamping, const struct watched *places,
			 const struct privilege *privilege, bool have_types, bool raw,
			 struct boundary_state *out)
{
	for (int i = 0; i < 2 && stamping->place[i] >= 0; i++) {
		const struct watched *place = &places[stamping->place[i]];
		int way = way_used(place, raw);

		if (way >= 0) {
			snprintf(out->hook, sizeof(out->hook), "%s %s",
				 hook_kind_name(place->kind[way]), place->name);
			out->available = true;
			return;
		}
	}
	/* None: the first place's reasons, the one newer kernels have. */
	watched_why(&places[stamping->place[0]], out->why, sizeof(out->why));
	out->remedy = watched_remedy(&places[stamping->place[0]], privilege, have_types);
}

static void judge_generator(int uring_err, struct boundary_state *out)
{
	out->available = !uring_err;
	if (out->available) {
		snprintf(out->hook, sizeof(out->hook), "generator");
		return;
	}
	snprintf(out->why, sizeof(out->why), "io_uring_setup refused: %s",
		 errno_words(uring_err).text);
	out->remedy = "see io_uring below";
}

void boundaries_judge(const struct watched places[WATCHED_COUNT], const struct privilege *privilege,
		      bool have_types, bool raw, int uring_err,
		      struct boundary_state states[IOSTRATA_BOUNDARY_COUNT])
{
	static const struct boundary_state known[] = {
#define BOUNDARY_STATE(id, name_, alias_, by, starts, meaning)                                     \
	{ .name = name_, .alias = alias_, .stamped_by = by },
		IOSTRATA_BOUNDARIES(BOUNDARY_STATE)
	};

	for (int i = 0; i < IOSTRATA_BOUNDARY_COUNT; i++) {
		states[i] = known[i];
		states[i].fold = stampings[i].fold;
		if (stampings[i].place[0] < 0)
			judge_generator(uring_err, &states[i]);
		else
			judge_hooked(&stampings[i], places, privilege, have_types, raw, &states[i]);
	}
}
