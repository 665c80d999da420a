// SPDX-License-Identifier: GPL-2.0-only
// In: /proc/kallsyms. Out: addresses of a few named functions.
#include "kernel/symbols.h"

#include <stdlib.h>
#include <string.h>

/* "address type name" or "address type name\t[module]": the name, cut out; NULL:
 * not such a line.
 */
static char *name_in(char *line)
{
	char *type = strchr(line, ' '), *name = type ? strchr(type + 1, ' ') : NULL;

	if (!name)
		return NULL;
	name++;
	name[strcspn(name, "\t\n")] = 0;
	return name;
}

/* There are some 200,000 lines: numbers are read of those that matter alone, and
 * none after the last one found.
 */
void symbols_find(FILE *kallsyms, struct symbol *symbols, unsigned int count)
{
	unsigned int left = count;
	char line[512], *name;

	while (left && fgets(line, sizeof(line), kallsyms)) {
		name = name_in(line);
		for (unsigned int i = 0; name && i < count; i++) {
			if (symbols[i].address || strcmp(symbols[i].name, name))
				continue;
			symbols[i].address = strtoull(line, NULL, 16);
			left--;
		}
	}
}
