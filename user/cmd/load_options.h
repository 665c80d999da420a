/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The options `load` and `run` share, as rows for either's table. In: the
 * command's config type and the name of its struct load_config member.
 */
#ifndef IOSTRATA_LOAD_OPTIONS_H
#define IOSTRATA_LOAD_OPTIONS_H

#include "base/options.h"
#include "load/config.h"

#define LOAD_OPTION_ROWS(type, member)                                                             \
	{ NULL, 0, OPTION_HEADING, NULL, "When I/Os arrive:", 0, NULL, 0, 0 },                     \
	{ "arrival", 0, OPTION_CHOICE, "MODEL",                                                    \
	  "constant, poisson (both open: --rate) or closed (--clients, --think) (default constant)", \
	  offsetof(type, member.arrival), load_arrival_names, 0, 0 },                              \
	{ "rate", 0, OPTION_RATE, "N", "Open: N arrivals per second, 0.000001 to 1000m (poisson: to 10m)",           \
	  offsetof(type, member.rate_per_s), NULL, 0, 0 },                                         \
	{ "clients", 0, OPTION_U64, "N", "Closed: N clients, 1 to 65535 (default 1)",              \
	  offsetof(type, member.clients), NULL, 1, LOAD_CLIENTS_MAX },                             \
	{ "think", 0, OPTION_DURATION, "TIME",                                                     \
	  "Closed: from a completion to that client's next I/O (default 0)",                       \
	  offsetof(type, member.think_ns), NULL, 0, LOAD_TIME_MAX_NS },                            \
	{ "runtime", 0, OPTION_DURATION, "TIME", "I/Os arrive in [0, TIME); what is unfinished then is counted apart", \
	  offsetof(type, member.runtime_ns), NULL, 1, LOAD_TIME_MAX_NS },                          \
	{ "requests", 0, OPTION_U64, "N", "At most N I/Os; without --runtime all are waited for",  \
	  offsetof(type, member.requests), NULL, 1, 0 },                                           \
	{ "seed", 0, OPTION_U64, "N", "Of random arrivals and offsets (default 1)",                \
	  offsetof(type, member.seed), NULL, 0, 0 },                                               \
	{ "warmup", 0, OPTION_DURATION, "TIME",                                                    \
	  "I/Os planned in the first TIME are tagged and left out of the latencies (default 0)",   \
	  offsetof(type, member.warmup_ns), NULL, 0, LOAD_TIME_MAX_NS },                           \
	{ NULL, 0, OPTION_HEADING, NULL, "What they do:", 0, NULL, 0, 0 },                         \
	{ "rw", 0, OPTION_CHOICE, "KIND", "read, randread, write or randwrite (default randread)", \
	  offsetof(type, member.rw), load_rw_names, 0, 0 },                                        \
	{ "bs", 0, OPTION_BYTES, "SIZE", "Bytes of one I/O, at most 1g (default 4k)",              \
	  offsetof(type, member.block_bytes), NULL, 1, LOAD_BLOCK_MAX },                           \
	{ "sync", 0, OPTION_CHOICE, "KIND", "none or dsync: each write is durable (default none)", \
	  offsetof(type, member.sync), load_sync_names, 0, 0 },                                    \
	{ "buffered", 0, OPTION_FLAG, NULL, "Through the page cache instead of O_DIRECT",          \
	  offsetof(type, member.buffered), NULL, 0, 0 },                                           \
	{ NULL, 0, OPTION_HEADING, NULL, "Writing (never to what is mounted, swapped on or held):", \
	  0, NULL, 0, 0 },                                                                         \
	{ "write", 0, OPTION_FLAG, NULL, "Allow writes; without it the target is opened read-only", \
	  offsetof(type, member.write), NULL, 0, 0 },                                              \
	{ "destroy-data", 0, OPTION_STRING, "TARGET",                                              \
	  "Overwrite what TARGET carries (a signature, data, an existing file); must name the target", \
	  offsetof(type, member.destroy_data), NULL, 0, 0 },                                       \
	{ NULL, 0, OPTION_HEADING, NULL, "Bounds:", 0, NULL, 0, 0 },                               \
	{ "in-flight-cap", 0, OPTION_U64, "N",                                                     \
	  "At most N in flight, 1 to 65535 (default 4096); others wait as backlog",                \
	  offsetof(type, member.in_flight_cap), NULL, 1, LOAD_IN_FLIGHT_MAX },                     \
	{ "timeout", 0, OPTION_DURATION, "TIME",                                                   \
	  "An I/O that takes longer is counted as timed out; also bounds the wait at the end (default 30s)", \
	  offsetof(type, member.timeout_ns), NULL, 1, LOAD_TIME_MAX_NS },                          \
	{ "spin", 0, OPTION_DURATION, "TIME",                                                      \
	  "Busy-wait at most so long before an arrival, to be on time (default 100us)",            \
	  offsetof(type, member.spin_ns), NULL, 0, LOAD_TIME_MAX_NS }

#endif
