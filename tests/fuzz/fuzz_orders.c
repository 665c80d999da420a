// SPDX-License-Identifier: GPL-2.0-only
// What is written to a target's control file, and values of sysfs. In: any
// bytes, not ended by NUL. Out: an order, a number, or a refusal; nothing is
// read beyond the end.
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "probe/kernel_text.h"
#include "target/order.h"

static void orders(const uint8_t *data, size_t size)
{
	struct order order = { .kind = ORDER_DRAIN + 1 };
	int err = order_parse((const char *)data, size, &order);

	FUZZ_HOLDS(err == 0 || err == -EINVAL || err == -ERANGE);
	if (!err)
		FUZZ_HOLDS(order.kind <= ORDER_DRAIN && (order.kind == ORDER_PAUSE || !order.has_duration));
}

static void values(const uint8_t *data, size_t size)
{
	int fd = memfd_create("value", MFD_CLOEXEC);
	uint64_t value = 7;
	int64_t sign = 7;
	char line[8], name[16];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(name, sizeof(name), "%d", fd);
	FUZZ_HOLDS(!kernel_line("/proc/self/fd", name, line, sizeof(line)));
	FUZZ_HOLDS(!strpbrk(line, "\n") && strlen(line) < sizeof(line));
	if (kernel_u64("/proc/self/fd", name, &value))
		FUZZ_HOLDS(value == 7);
	if (kernel_s64("/proc/self/fd", name, &sign))
		FUZZ_HOLDS(sign == 7);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	orders(data, size);
	values(data, size);
	return 0;
}
