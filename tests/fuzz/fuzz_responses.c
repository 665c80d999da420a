// SPDX-License-Identifier: GPL-2.0-only
// Files of responses as `iostrata model` pools them. In: a file of any bytes.
// Out: read whole with counts that fit its lines, or refused with a reason.
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "report/responses_csv.h"

int __real_dist_init(struct dist *dist, unsigned int sub_bits, size_t exact_max);
int __wrap_dist_init(struct dist *dist, unsigned int sub_bits, size_t exact_max);

/* A million samples' room for each input would be all the time spent. */
int __wrap_dist_init(struct dist *dist, unsigned int sub_bits, size_t exact_max)
{
	return __real_dist_init(dist, sub_bits, exact_max < 4096 ? exact_max : 4096);
}

static uint64_t lines_in(const uint8_t *data, size_t size)
{
	uint64_t lines = size && data[size - 1] != '\n';

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("responses", MFD_CLOEXEC);
	struct responses responses;
	struct why why = { 0 };
	char path[40];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (responses_read(path, &responses, &why)) {
		FUZZ_HOLDS(why.text[0] && why.status);
	} else {
		FUZZ_HOLDS(responses.dist.hist.count + responses.unfinished + 1 ==
			   lines_in(data, size));
		responses_free(&responses);
	}
	close(fd);
	return 0;
}
