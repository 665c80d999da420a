/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What was learned of a machine, as a list. In: what the probes found. Out:
 * for each fact a group, a key, a typed value and, where it matters, a remark
 * with what to do. Views print the list and know nothing of its contents.
 */
#ifndef IOSTRATA_FACTS_H
#define IOSTRATA_FACTS_H

#include <stdbool.h>
#include <stdint.h>

enum fact_type { FACT_TEXT, FACT_NUMBER, FACT_FLAG, FACT_UNKNOWN };

struct fact {
	const char *group, *key;
	enum fact_type type;
	int64_t number;	 /* FACT_NUMBER; FACT_FLAG: 0 or 1 */
	char text[192];	 /* FACT_TEXT; FACT_UNKNOWN: why */
	char remark[256]; /* "": nothing to say */
};

enum { FACTS_MAX = 96 };

struct facts {
	struct fact fact[FACTS_MAX];
	unsigned int count;
	struct fact spare; /* takes what no longer fits; counted in `dropped` */
	unsigned int dropped;
};

/* Each adds one fact and returns it, for fact_remark. Keys and groups are
 * string constants.
 */
struct fact *fact_text(struct facts *facts, const char *group, const char *key, const char *text);
struct fact *fact_number(struct facts *facts, const char *group, const char *key, int64_t number);
struct fact *fact_flag(struct facts *facts, const char *group, const char *key, bool flag);
/* `err`: the negative errno that kept us from knowing. */
struct fact *fact_unknown(struct facts *facts, const char *group, const char *key, int err);
/* err 0: flag true; else flag false with the error as its remark. */
struct fact *fact_tried(struct facts *facts, const char *group, const char *key, int err);
void fact_remark(struct fact *fact, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Where the machine's files are: "/proc", "/sys", "/dev"; others in tests. */
struct machine {
	const char *proc, *sys, *dev;
};

struct privilege;
struct uring_features;

/* Each adds its groups to `facts`; none fails: what can't be read is unknown. */
void facts_kernel(const struct machine *machine, struct facts *facts);
void facts_btf(const struct machine *machine, int types_err, struct facts *facts);
void facts_privilege(const struct machine *machine, const struct privilege *privilege,
		     struct facts *facts);
void facts_uring(const struct machine *machine, const struct uring_features *uring,
		 struct facts *facts);
void facts_cgroup(const struct machine *machine, struct facts *facts);
void facts_namespaces(const struct machine *machine, struct facts *facts);
void facts_target(const struct machine *machine, const struct privilege *privilege,
		  struct facts *facts);

#endif
