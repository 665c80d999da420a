// SPDX-License-Identifier: GPL-2.0-only
// In: /proc/kallsyms. Out: addresses of a few named functions.
#include "kernel/symbols.h"

#include <inttypes.h>
#include <string.h>

void symbols_find(FILE *kallsyms, struct symbol *symbols, unsigned int count)
{
	char line[512], name[256], kind;
	uint64_t address;

	while (fgets(line, sizeof(line), kallsyms)) {
		if (sscanf(line, "%" SCNx64 " %c %255s", &address, &kind, name) != 3)
			continue;
		for (unsigned int i = 0; i < count; i++)
			if (!symbols[i].address && !strcmp(symbols[i].name, name))
				symbols[i].address = address;
	}
}
