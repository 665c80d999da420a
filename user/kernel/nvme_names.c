// SPDX-License-Identifier: GPL-2.0-only
// In: numbers of the NVMe specification. Out: their names.
#include "kernel/nvme_names.h"

#include <stdio.h>

struct name {
	uint32_t number;
	const char *name;
};

static const struct name io_opcodes[] = {
	{ 0x00, "flush" },
	{ 0x01, "write" },
	{ 0x02, "read" },
	{ 0x04, "write uncorrectable" },
	{ 0x05, "compare" },
	{ 0x08, "write zeroes" },
	{ 0x09, "dsm" },
	{ 0x0c, "verify" },
	{ 0x0d, "reservation register" },
	{ 0x0e, "reservation report" },
	{ 0x11, "reservation acquire" },
	{ 0x12, "io mgmt receive" },
	{ 0x15, "reservation release" },
	{ 0x18, "cancel" },
	{ 0x19, "copy" },
	{ 0x1d, "io mgmt send" },
	{ 0x79, "zone mgmt send" },
	{ 0x7a, "zone mgmt receive" },
	{ 0x7d, "zone append" },
	{ 0x7f, "fabrics" },
	{ 0 },
};

static const struct name admin_opcodes[] = {
	{ 0x00, "delete sq" },
	{ 0x01, "create sq" },
	{ 0x02, "get log page" },
	{ 0x04, "delete cq" },
	{ 0x05, "create cq" },
	{ 0x06, "identify" },
	{ 0x08, "abort" },
	{ 0x09, "set features" },
	{ 0x0a, "get features" },
	{ 0x0c, "async event" },
	{ 0x0d, "namespace mgmt" },
	{ 0x10, "firmware commit" },
	{ 0x11, "firmware download" },
	{ 0x14, "self-test" },
	{ 0x15, "namespace attach" },
	{ 0x18, "keep alive" },
	{ 0x19, "directive send" },
	{ 0x1a, "directive receive" },
	{ 0x1c, "virtualization mgmt" },
	{ 0x1d, "mi send" },
	{ 0x1e, "mi receive" },
	{ 0x20, "capacity mgmt" },
	{ 0x24, "lockdown" },
	{ 0x7c, "doorbell buffer" },
	{ 0x7f, "fabrics" },
	{ 0x80, "format" },
	{ 0x81, "security send" },
	{ 0x82, "security receive" },
	{ 0x84, "sanitize" },
	{ 0x86, "get lba status" },
	{ 0 },
};

static const struct name statuses[] = {
	/* Generic. */
	{ 0x001, "invalid opcode" },
	{ 0x002, "invalid field" },
	{ 0x003, "command id conflict" },
	{ 0x004, "data transfer error" },
	{ 0x005, "aborted: power loss" },
	{ 0x006, "internal error" },
	{ 0x007, "abort requested" },
	{ 0x008, "aborted: queue deleted" },
	{ 0x009, "aborted: fused command failed" },
	{ 0x00a, "aborted: fused command missing" },
	{ 0x00b, "invalid namespace or format" },
	{ 0x00c, "command sequence error" },
	{ 0x00d, "invalid last sgl" },
	{ 0x00e, "invalid sgl count" },
	{ 0x00f, "invalid data sgl length" },
	{ 0x010, "invalid metadata sgl length" },
	{ 0x011, "invalid sgl type" },
	{ 0x012, "invalid use of cmb" },
	{ 0x013, "invalid prp offset" },
	{ 0x014, "atomic write unit exceeded" },
	{ 0x015, "operation denied" },
	{ 0x016, "invalid sgl offset" },
	{ 0x018, "inconsistent host id" },
	{ 0x019, "keep alive timer expired" },
	{ 0x01a, "invalid keep alive timeout" },
	{ 0x01b, "aborted: preempt and abort" },
	{ 0x01c, "sanitize failed" },
	{ 0x01d, "sanitize in progress" },
	{ 0x01e, "invalid sgl granularity" },
	{ 0x01f, "command not supported in cmb queue" },
	{ 0x020, "namespace is write protected" },
	{ 0x021, "command interrupted" },
	{ 0x022, "transient transport error" },
	{ 0x023, "prohibited by lockdown" },
	{ 0x024, "admin command media not ready" },
	{ 0x080, "lba out of range" },
	{ 0x081, "capacity exceeded" },
	{ 0x082, "namespace not ready" },
	{ 0x083, "reservation conflict" },
	{ 0x084, "format in progress" },
	{ 0x085, "invalid value size" },
	{ 0x086, "invalid key size" },
	{ 0x087, "kv key does not exist" },
	{ 0x088, "unrecovered error" },
	{ 0x089, "key exists" },
	/* Of the command. */
	{ 0x100, "invalid completion queue" },
	{ 0x101, "invalid queue id" },
	{ 0x102, "invalid queue size" },
	{ 0x103, "abort limit exceeded" },
	{ 0x105, "async event limit exceeded" },
	{ 0x106, "invalid firmware slot" },
	{ 0x107, "invalid firmware image" },
	{ 0x108, "invalid interrupt vector" },
	{ 0x109, "invalid log page" },
	{ 0x10a, "invalid format" },
	{ 0x10b, "firmware needs conventional reset" },
	{ 0x10c, "invalid queue deletion" },
	{ 0x10d, "feature not saveable" },
	{ 0x10e, "feature not changeable" },
	{ 0x10f, "feature not namespace specific" },
	{ 0x110, "firmware needs subsystem reset" },
	{ 0x111, "firmware needs reset" },
	{ 0x112, "firmware exceeds time limit" },
	{ 0x113, "firmware activation prohibited" },
	{ 0x114, "overlapping range" },
	{ 0x115, "namespace: insufficient capacity" },
	{ 0x116, "namespace id unavailable" },
	{ 0x118, "namespace already attached" },
	{ 0x119, "namespace is private" },
	{ 0x11a, "namespace not attached" },
	{ 0x11b, "thin provisioning not supported" },
	{ 0x11c, "invalid controller list" },
	{ 0x11d, "self-test in progress" },
	{ 0x11e, "boot partition write prohibited" },
	{ 0x11f, "invalid controller id" },
	{ 0x120, "invalid secondary controller state" },
	{ 0x121, "invalid number of resources" },
	{ 0x122, "invalid resource id" },
	{ 0x123, "sanitize prohibited by pmr" },
	{ 0x124, "invalid ana group" },
	{ 0x125, "ana attach failed" },
	{ 0x180, "conflicting attributes (or fabrics: incompatible format)" },
	{ 0x181, "invalid protection information (or fabrics: controller busy)" },
	{ 0x182, "write to read-only range (or fabrics: invalid connect)" },
	{ 0x183, "command size limit (or fabrics: restart discovery)" },
	{ 0x184, "fabrics: invalid host" },
	{ 0x190, "fabrics: restart discovery" },
	{ 0x191, "fabrics: authentication required" },
	{ 0x1b8, "zone boundary error" },
	{ 0x1b9, "zone is full" },
	{ 0x1ba, "zone is read-only" },
	{ 0x1bb, "zone is offline" },
	{ 0x1bc, "invalid zone write" },
	{ 0x1bd, "too many active zones" },
	{ 0x1be, "too many open zones" },
	{ 0x1bf, "invalid zone transition" },
	/* Media and data integrity. */
	{ 0x280, "write fault" },
	{ 0x281, "unrecovered read error" },
	{ 0x282, "guard check error" },
	{ 0x283, "application tag check error" },
	{ 0x284, "reference tag check error" },
	{ 0x285, "compare failure" },
	{ 0x286, "access denied" },
	{ 0x287, "unwritten block" },
	{ 0x288, "storage tag check error" },
	/* Of the path. */
	{ 0x300, "internal path error" },
	{ 0x301, "ana persistent loss" },
	{ 0x302, "ana inaccessible" },
	{ 0x303, "ana transition" },
	{ 0x360, "controller path error" },
	{ 0x370, "host path error" },
	{ 0x371, "aborted by host" },
	{ 0 },
};

/* An error log, a health and a notice event each: type, information. */
static const struct name events[] = {
	{ 0x000, "error: invalid doorbell" },
	{ 0x001, "error: invalid doorbell value" },
	{ 0x002, "error: diagnostic failure" },
	{ 0x003, "error: persistent internal error" },
	{ 0x004, "error: transient internal error" },
	{ 0x005, "error: firmware image load" },
	{ 0x100, "health: reliability" },
	{ 0x101, "health: temperature" },
	{ 0x102, "health: spare below threshold" },
	{ 0x200, "namespace changed" },
	{ 0x201, "firmware activation starting" },
	{ 0x202, "telemetry log changed" },
	{ 0x203, "ana change" },
	{ 0x204, "predictable latency log changed" },
	{ 0x205, "lba status changed" },
	{ 0x206, "endurance group changed" },
	{ 0x2ef, "zone descriptor changed" },
	{ 0x2f0, "discovery log changed" },
	{ 0 },
};

/* Without "nvme: fix async event trace event" (6.4, and in stable kernels) a
 * notice's information is passed, or else the type: a number may be either.
 */
static const struct name old_events[] = {
	{ 0x00, "namespace changed, or an error" },
	{ 0x01, "firmware activation starting, or health" },
	{ 0x02, "telemetry log changed" },
	{ 0x03, "ana change" },
	{ 0x06, "command set event" },
	{ 0x07, "vendor event" },
	{ 0xf0, "discovery log changed" },
	{ 0 },
};

static const char *find(const struct name *names, uint32_t number)
{
	for (; names->name; names++)
		if (names->number == number)
			return names->name;
	return NULL;
}

static void spell(const char *name, const char *otherwise, uint32_t number, char out[NVME_NAME_SIZE])
{
	if (name)
		snprintf(out, NVME_NAME_SIZE, "%s", name);
	else
		snprintf(out, NVME_NAME_SIZE, "%s 0x%x", otherwise, number);
}

void nvme_opcode_name(bool admin, uint32_t opcode, char out[NVME_NAME_SIZE])
{
	spell(find(admin ? admin_opcodes : io_opcodes, opcode), "opcode", opcode, out);
}

void nvme_status_name(uint32_t status, char out[NVME_NAME_SIZE])
{
	spell(find(statuses, status), "status", status, out);
}

/* Type, information and the log page to read, which is never 0: that tells the
 * forms apart.
 */
void nvme_event_name(uint32_t value, char out[NVME_NAME_SIZE])
{
	uint32_t type = value & 7, information = value >> 8 & 0xff;

	if (value < 0x100)
		spell(find(old_events, value), "event", value, out);
	else if (type >= 6)
		spell(type == 7 ? "vendor event" : "command set event", "event", value, out);
	else
		spell(find(events, type << 8 | information), "event", value, out);
}
