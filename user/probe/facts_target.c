// SPDX-License-Identifier: GPL-2.0-only
// In: /dev/fuse, /dev/loop-control. Out: facts on what the disposable target needs.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/kernel_text.h"
#include "probe/privilege.h"
#include "probe/target_parts.h"

static int is_loaded(const struct machine *machine, const char *misc)
{
	char path[PATH_MAX];

	return !kernel_path(machine->sys, misc, path, sizeof(path)) && !access(path, F_OK);
}

/* Opening asks all who can refuse (mode, container's device list), but would
 * load a driver that isn't there yet: then only the mode is looked at.
 */
static int may_use(const struct machine *machine, const char *name, int loaded)
{
	char path[PATH_MAX];
	int fd, err = kernel_path(machine->dev, name, path, sizeof(path));

	if (err)
		return err;
	if (!loaded)
		return access(path, R_OK | W_OK) ? -errno : 0;
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

struct target_parts target_parts_read(const struct machine *machine)
{
	struct target_parts parts = {
		.fuse_loaded = is_loaded(machine, "class/misc/fuse"),
		.loop_loaded = is_loaded(machine, "class/misc/loop-control"),
	};

	parts.fuse = may_use(machine, "fuse", parts.fuse_loaded);
	parts.loop_control = may_use(machine, "loop-control", parts.loop_loaded);
	return parts;
}

static void add(struct facts *facts, const char *key, int err, int loaded, const char *module)
{
	struct fact *fact = fact_tried(facts, "target", key, err);

	if (err == -ENOENT)
		fact_remark(fact, "no such device node: modprobe %s", module);
	else if (!err && !loaded)
		fact_remark(fact, "not loaded yet: its first use loads %s", module);
}

void facts_target(const struct machine *machine, const struct privilege *privilege,
		  struct facts *facts)
{
	struct target_parts parts = target_parts_read(machine);

	add(facts, "dev_fuse", parts.fuse, parts.fuse_loaded, "fuse");
	add(facts, "dev_loop_control", parts.loop_control, parts.loop_loaded, "loop");
	fact_flag(facts, "target", "may_mount",
		  privilege->initial_user_ns && privilege_has(privilege, CAP_SYS_ADMIN));
}
