/* SPDX-License-Identifier: GPL-2.0-only
 *
 * SIGINT and SIGTERM as something the ring can wait for. In: the signals. Out:
 * a descriptor that becomes readable. No handler, nothing global.
 */
#ifndef IOSTRATA_LOAD_INTERRUPT_H
#define IOSTRATA_LOAD_INTERRUPT_H

#include <signal.h>

#include "base/why.h"

struct interrupt {
	int fd;
	sigset_t before;
};

/* From here to interrupt_close the signals end the run, not the process. */
int interrupt_open(struct interrupt *interrupt, struct why *why);
/* Takes what is pending, so that the descriptor can be waited on again. */
void interrupt_drain(struct interrupt *interrupt);
void interrupt_close(struct interrupt *interrupt);

#endif
