// SPDX-License-Identifier: GPL-2.0-only
// In: a directory. Out: FUSE on it, and in the end neither.
#include "target/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

int mount_directory(char *path, size_t size, struct why *why)
{
	snprintf(path, size, "/run/iostrata.%d.XXXXXX", getpid());
	if (mkdtemp(path))
		return 0;
	snprintf(path, size, "/tmp/iostrata.%d.XXXXXX", getpid());
	if (mkdtemp(path))
		return 0;
	return why_set(why, -errno, EXIT_FAILED,
		       "cannot make a directory below /run or /tmp: %s; make one of them writable",
		       why_text(errno));
}

static int open_fuse(struct why *why)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	return why_set(why, -errno, errno == EACCES ? EXIT_PRIVILEGE : EXIT_KERNEL_LACKS,
		       "/dev/fuse: %s; load the module with 'modprobe fuse'", why_text(errno));
}

int mount_fuse(const char *directory, struct why *why)
{
	int fd = open_fuse(why), err;
	char options[80];

	if (fd < 0)
		return fd;
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	if (!mount("iostrata", directory, "fuse.iostrata", MS_NOSUID | MS_NODEV | MS_NOEXEC, options))
		return fd;
	err = -errno;
	close(fd);
	if (err == -EPERM || err == -EACCES)
		return why_set(why, err, EXIT_PRIVILEGE,
			       "mounting FUSE on %s: %s; needs root with CAP_SYS_ADMIN", directory,
			       why_text(err));
	return why_set(why, err, err == -ENODEV ? EXIT_KERNEL_LACKS : EXIT_FAILED,
		       "mounting FUSE on %s: %s; 'modprobe fuse' loads it", directory, why_text(err));
}

void mount_remove(const char *directory)
{
	/* MNT_FORCE aborts the connection, MNT_DETACH unmounts though busy. */
	while (!umount2(directory, MNT_FORCE | MNT_DETACH))
		;
	rmdir(directory);
}

void mount_sweep(void)
{
	glob_t found;
	struct stat st;

	glob("/run/iostrata.*.??????", GLOB_NOSORT, NULL, &found);
	glob("/tmp/iostrata.*.??????", GLOB_NOSORT | GLOB_APPEND, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (stat(found.gl_pathv[i], &st) && errno == ENOTCONN)
			mount_remove(found.gl_pathv[i]);
	globfree(&found);
}

void mount_remove_upper(unsigned int major, unsigned int minor, char *path, size_t size)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char line[1024], point[512];
	unsigned int ma, mi;

	*path = 0;
	while (mounts && fgets(line, sizeof(line), mounts)) {
		if (sscanf(line, "%*d %*d %u:%u %*s %511s", &ma, &mi, point) != 3 || ma != major ||
		    mi != minor)
			continue;
		if (!umount2(point, MNT_DETACH))
			snprintf(path, size, "%s", point);
	}
	if (mounts)
		fclose(mounts);
}
