/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The FUSE filesystem: /disk, the backing file of the loop device, and
 * /control. In: the kernel's requests. Out: data requests to the serving
 * thread, with the time they came; everything else answered at once.
 */
#ifndef IOSTRATA_TARGET_SESSION_H
#define IOSTRATA_TARGET_SESSION_H

#include "target/serve.h"
#include "target/store.h"

struct session {
	struct fuse_session *fuse;
	struct serve *serve;
	struct store *store;
	uint64_t arrived_ns; /* of the request being taken */
};

/* `fuse_fd` is /dev/fuse, already mounted. 0 or -errno. */
int session_open(struct session *session, int fuse_fd);
/* Takes requests until the connection ends. 0, or -errno if it could not. */
int session_run(struct session *session);

#endif
