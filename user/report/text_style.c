// SPDX-License-Identifier: GPL-2.0-only
// In: a stream and the environment. Out: what the text view may use on it.
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_ELSEWHERE = 80, COLUMNS_MIN = 60, COLUMNS_MAX = 160 };

static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

/* As the C library chooses the character set: the first that is set. */
static bool utf8_locale(void)
{
	const char *locale = environment("LC_ALL");

	if (!*locale)
		locale = environment("LC_CTYPE");
	if (!*locale)
		locale = environment("LANG");
	return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
}

static unsigned int terminal_columns(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col)
		return COLUMNS_ELSEWHERE;
	/* Narrower than a row of numbers helps nobody, nor do endless lines. */
	return size.ws_col < COLUMNS_MIN   ? COLUMNS_MIN
	       : size.ws_col > COLUMNS_MAX ? COLUMNS_MAX
					   : size.ws_col;
}

struct text_style text_style_for(FILE *out)
{
	struct text_style style = { .columns = COLUMNS_ELSEWHERE };
	int fd = fileno(out);
	bool dumb = !strcmp(environment("TERM"), "dumb") || !*environment("TERM");

	if (fd < 0 || !isatty(fd))
		return style;
	style.bars = true;
	style.colour = !dumb && !*environment("NO_COLOR");
	style.unicode = !dumb && utf8_locale();
	style.columns = terminal_columns(fd);
	return style;
}
