// SPDX-License-Identifier: GPL-2.0-only
// In: single findings. Out: the list of facts.
#include "probe/facts.h"

#include <stdarg.h>
#include <stdio.h>

#include "probe/errno_words.h"

static struct fact *add(struct facts *facts, const char *group, const char *key,
			enum fact_type type)
{
	struct fact *fact = &facts->spare;

	if (facts->count < FACTS_MAX)
		fact = &facts->fact[facts->count++];
	else
		facts->dropped++;
	*fact = (struct fact){ .group = group, .key = key, .type = type };
	return fact;
}

struct fact *fact_text(struct facts *facts, const char *group, const char *key, const char *text)
{
	struct fact *fact = add(facts, group, key, FACT_TEXT);

	snprintf(fact->text, sizeof(fact->text), "%s", text);
	return fact;
}

struct fact *fact_number(struct facts *facts, const char *group, const char *key, int64_t number)
{
	struct fact *fact = add(facts, group, key, FACT_NUMBER);

	fact->number = number;
	return fact;
}

struct fact *fact_flag(struct facts *facts, const char *group, const char *key, bool flag)
{
	struct fact *fact = add(facts, group, key, FACT_FLAG);

	fact->number = flag;
	return fact;
}

struct fact *fact_unknown(struct facts *facts, const char *group, const char *key, int err)
{
	struct fact *fact = add(facts, group, key, FACT_UNKNOWN);

	snprintf(fact->text, sizeof(fact->text), "%s", errno_words(err).text);
	return fact;
}

struct fact *fact_tried(struct facts *facts, const char *group, const char *key, int err)
{
	struct fact *fact = fact_flag(facts, group, key, !err);

	if (err)
		fact_remark(fact, "%s", errno_words(err).text);
	return fact;
}

void fact_remark(struct fact *fact, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(fact->remark, sizeof(fact->remark), format, args);
	va_end(args);
}
