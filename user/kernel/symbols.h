/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IOSTRATA_KERNEL_SYMBOLS_H
#define IOSTRATA_KERNEL_SYMBOLS_H

#include <stdint.h>
#include <stdio.h>

struct symbol {
	const char *name;
	uint64_t address; /* 0: not found, or hidden by kptr_restrict */
};

/* Fills in the addresses of `count` symbols from /proc/kallsyms' format. */
void symbols_find(FILE *kallsyms, struct symbol *symbols, unsigned int count);

#endif
