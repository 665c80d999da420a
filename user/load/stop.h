/* SPDX-License-Identifier: GPL-2.0-only
 *
 * SIGINT and SIGTERM as something the ring can wait for. In: the signals. Out:
 * a descriptor that becomes readable. No handler, nothing global.
 */
#ifndef IOSTRATA_LOAD_STOP_H
#define IOSTRATA_LOAD_STOP_H

#include <signal.h>

#include "base/why.h"

struct stop {
	int fd;
	sigset_t before;
};

/* From here to stop_close the signals end the run, not the process. */
int stop_open(struct stop *stop, struct why *why);
/* Takes what is pending, so that the descriptor can be waited on again. */
void stop_drain(struct stop *stop);
void stop_close(struct stop *stop);

#endif
