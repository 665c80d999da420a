// SPDX-License-Identifier: GPL-2.0-only
/* I/O by the generator's own process that is none of its load: preloaded into
 * it. In: BYSTANDER_DEVICE, and BYSTANDER_FILE for the counts. Out: from 0.3 s
 * after the process has a ring, for 0.5 s
 *  - a thread writes blocks directly (even ones) and through the page cache
 *    (odd ones), and syncs;
 *  - the generator's own thread, each 64th time it reads the clock, reads a
 *    block directly, and at times writes one through the page cache and syncs.
 * At the end the file says how many of each were done.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096, AREA = 4096, EVERY = 64, SYNC_EVERY = 16, ROUNDS = 250 };

static int (*real_clock)(clockid_t, struct timespec *);
static int direct = -1, cached = -1;
static pid_t generator;
static pthread_t thread;
static atomic_ulong reads, direct_writes, cached_writes, failed;
static atomic_bool on;

static void put(int fd, unsigned long block, atomic_ulong *count)
{
	static _Alignas(BLOCK) char bytes[BLOCK];

	if (pwrite(fd, bytes, BLOCK, (off_t)(block % AREA) * BLOCK) == BLOCK)
		atomic_fetch_add(count, 1);
	else
		atomic_fetch_add(&failed, 1);
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static bool has_ring(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir))) {
		char link[64] = "";

		found = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1) > 0 &&
			strstr(link, "io_uring");
	}
	if (dir)
		closedir(dir);
	return found;
}

static void *stand_by(void *unused)
{
	(void)unused;
	while (!has_ring())
		pause_ms(20);
	pause_ms(300);
	atomic_store(&on, true);
	for (unsigned long i = 0; i < ROUNDS; i++) {
		put(direct, 2 * i, &direct_writes);
		put(cached, 2 * i + 1, &cached_writes);
		pause_ms(2);
	}
	atomic_store(&on, false);
	pause_ms(50);
	if (fsync(cached))
		atomic_fetch_add(&failed, 1);
	return NULL;
}

static void interfere(void)
{
	static _Alignas(BLOCK) char bytes[BLOCK];
	static unsigned long calls;

	if (!atomic_load(&on) || syscall(SYS_gettid) != generator || ++calls % EVERY)
		return;
	if (pread(direct, bytes, BLOCK, (off_t)(calls % AREA) * BLOCK) == BLOCK)
		atomic_fetch_add(&reads, 1);
	else
		atomic_fetch_add(&failed, 1);
	if (calls % (EVERY * SYNC_EVERY))
		return;
	/* Blocks of its own: the thread's may still be dirty and would count once. */
	put(cached, 2000 + calls / EVERY / SYNC_EVERY, &cached_writes);
	if (fsync(cached))
		atomic_fetch_add(&failed, 1);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	if (direct >= 0)
		interfere();
	return real_clock(clock, now);
}

__attribute__((constructor)) static void begin(void)
{
	const char *device = getenv("BYSTANDER_DEVICE");
	void *symbol = dlsym(RTLD_NEXT, "clock_gettime");

	*(void **)&real_clock = symbol;
	if (!device)
		return;
	generator = (pid_t)syscall(SYS_gettid);
	cached = open(device, O_RDWR | O_CLOEXEC);
	direct = open(device, O_RDWR | O_DIRECT | O_CLOEXEC);
	if (direct < 0 || cached < 0 || pthread_create(&thread, NULL, stand_by, NULL))
		abort();
}

__attribute__((destructor)) static void end(void)
{
	const char *name = getenv("BYSTANDER_FILE");
	FILE *file = direct >= 0 && name ? fopen(name, "w") : NULL;

	if (!file)
		return;
	fprintf(file, "{\"reads\": %lu, \"direct_writes\": %lu, \"cached_writes\": %lu, \"failed\": %lu}\n",
		atomic_load(&reads), atomic_load(&direct_writes), atomic_load(&cached_writes),
		atomic_load(&failed));
	fclose(file);
}
