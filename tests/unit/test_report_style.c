// SPDX-License-Identifier: GPL-2.0-only
// What the text view may use: nothing but ASCII and 80 columns elsewhere; on a
// terminal what it, NO_COLOR, TERM and the locale allow.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pty.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "report/report.h"

static void clean_environment(void)
{
	unsetenv("NO_COLOR");
	unsetenv("LC_ALL");
	unsetenv("LC_CTYPE");
	setenv("LANG", "en_US.UTF-8", 1);
	setenv("TERM", "xterm", 1);
}

static struct text_style style_on_terminal(unsigned short columns)
{
	struct winsize size = { .ws_row = 24, .ws_col = columns };
	struct text_style style;
	int leader, follower;
	FILE *out;

	assert_int_equal(openpty(&leader, &follower, NULL, NULL, &size), 0);
	out = fdopen(follower, "w");
	assert_non_null(out);
	style = text_style_for(out);
	fclose(out);
	close(leader);
	return style;
}

static void elsewhere_plain(void **state)
{
	char *bytes;
	size_t size;
	FILE *files[] = { tmpfile(), open_memstream(&bytes, &size) };

	(void)state;
	clean_environment();
	for (int i = 0; i < 2; i++) {
		struct text_style style = text_style_for(files[i]);

		assert_false(style.colour || style.bars || style.unicode || style.histograms);
		assert_int_equal(style.columns, 80);
		fclose(files[i]);
	}
	free(bytes);
}

static void a_terminal_has_it_all(void **state)
{
	struct text_style style;

	(void)state;
	clean_environment();
	style = style_on_terminal(120);
	assert_true(style.colour && style.bars && style.unicode);
	assert_false(style.histograms);
	assert_int_equal(style.columns, 120);
	assert_int_equal(style_on_terminal(0).columns, 80);
	assert_int_equal(style_on_terminal(20).columns, 60);
	assert_int_equal(style_on_terminal(500).columns, 160);
}

static void no_color_takes_only_colour(void **state)
{
	struct text_style style;

	(void)state;
	clean_environment();
	setenv("NO_COLOR", "1", 1);
	style = style_on_terminal(100);
	assert_true(!style.colour && style.bars && style.unicode);
	setenv("NO_COLOR", "", 1); /* as no-color.org: empty is as if unset */
	assert_true(style_on_terminal(100).colour);
}

static void a_dumb_terminal_gets_ascii(void **state)
{
	static const char *const terms[] = { "dumb", "" };

	(void)state;
	clean_environment();
	for (int i = 0; i < 2; i++) {
		setenv("TERM", terms[i], 1);
		assert_false(style_on_terminal(80).colour || style_on_terminal(80).unicode);
		assert_true(style_on_terminal(80).bars);
	}
}

static void the_locale_decides_on_unicode(void **state)
{
	(void)state;
	clean_environment();
	setenv("LANG", "C", 1);
	assert_false(style_on_terminal(80).unicode);
	setenv("LC_CTYPE", "C.utf8", 1);
	assert_true(style_on_terminal(80).unicode);
	setenv("LC_ALL", "POSIX", 1); /* wins over the others */
	assert_false(style_on_terminal(80).unicode);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elsewhere_plain),
		cmocka_unit_test(a_terminal_has_it_all),
		cmocka_unit_test(no_color_takes_only_colour),
		cmocka_unit_test(a_dumb_terminal_gets_ascii),
		cmocka_unit_test(the_locale_decides_on_unicode),
	};

	return cmocka_run_group_tests_name("report style", tests, NULL, NULL);
}
