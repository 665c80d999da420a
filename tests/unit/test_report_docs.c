// SPDX-License-Identifier: GPL-2.0-only
// docs/layers.md and the JSON schema against bpf/boundary.h: each boundary and
// layer is there, under its name, in its order, and none that no longer exists.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "boundary.h"

static const char *const boundaries[] = {
#define NAME(id, name, alias, by, starts, meaning) name,
	IOSTRATA_BOUNDARIES(NAME)
#undef NAME
};

static const struct {
	const char *name, *from, *to, *alias;
} layers[] = {
#define LAYER(name, from, to, alias, meaning) { name, from, to, alias },
	IOSTRATA_LAYERS(LAYER)
#undef LAYER
};

enum { BOUNDARIES = sizeof(boundaries) / sizeof(*boundaries), LAYERS = sizeof(layers) / sizeof(*layers) };

static char *text_of(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 17);

	if (!file)
		fail_msg("%s: can't be read; run from the top of the tree", path);
	assert_in_range(fread(text, 1, (1 << 17) - 1, file), 1, (1 << 17) - 2);
	fclose(file);
	return text;
}

/* The next line that begins with `start`; fails when it is not `name`'s. */
static const char *expect_next(const char *at, const char *start, const char *name)
{
	char want[64];

	snprintf(want, sizeof(want), "%s%s`", start, name);
	at = strstr(at, start);
	if (!at || strncmp(at, want, strlen(want)))
		fail_msg("docs/layers.md: expected \"%s\", found \"%.40s\"", want,
			 at ? at : "nothing");
	return at + 1;
}

static void layers_md_has_each_boundary_in_order(void **state)
{
	char *text = text_of("docs/layers.md");
	const char *at = text;

	(void)state;
	for (int i = 0; i < BOUNDARIES; i++)
		at = expect_next(at, "\n| `", boundaries[i]);
	if (strstr(at, "\n| `"))
		fail_msg("docs/layers.md: a boundary that bpf/boundary.h does not have");
	free(text);
}

/* The heading, and in its section: the usual ends, the alias, how it grows. */
static void section_tells(const char *section, int i)
{
	const char *end = strstr(section, "\n###");
	char *body = strndup(section, end ? (size_t)(end - section) : strlen(section));

	if (!strstr(body, layers[i].from) || !strstr(body, layers[i].to) ||
	    !strstr(body, "**") || strlen(body) < 120)
		if (strcmp(layers[i].name, "unattributed"))
			fail_msg("docs/layers.md: `%s` lacks from, to, or what makes it grow",
				 layers[i].name);
	free(body);
}

static void layers_md_has_each_layer_in_order(void **state)
{
	char *text = text_of("docs/layers.md");
	const char *at = text;

	(void)state;
	for (int i = 0; i < LAYERS; i++) {
		at = expect_next(at, "\n### `", layers[i].name);
		section_tells(at, i);
	}
	if (strstr(at, "\n### `"))
		fail_msg("docs/layers.md: a layer that bpf/boundary.h does not have");
	free(text);
}

static void schema_knows_the_words(void **state)
{
	char *text = text_of("tests/schema/report.schema.json");
	char word[64];

	(void)state;
	for (int i = 0; i < BOUNDARIES; i++) {
		snprintf(word, sizeof(word), "\"%s\"", boundaries[i]);
		if (!strstr(text, word))
			fail_msg("report.schema.json: no boundary %s", word);
	}
	for (int i = 0; i < LAYERS; i++) {
		snprintf(word, sizeof(word), "%s%s%s", i ? "|" : "(", layers[i].name,
			 i == LAYERS - 1 ? ")" : "|");
		if (!strstr(text, word))
			fail_msg("report.schema.json: no layer %s", layers[i].name);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_md_has_each_boundary_in_order),
		cmocka_unit_test(layers_md_has_each_layer_in_order),
		cmocka_unit_test(schema_knows_the_words),
	};

	return cmocka_run_group_tests_name("report docs", tests, NULL, NULL);
}
