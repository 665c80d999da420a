// SPDX-License-Identifier: GPL-2.0-only
// In: a loaded object with programs for NVMe tracepoints. Out: these attached,
// or the word that the driver is not there.
#include "kernel/nvme_hooks.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/privilege.h"
#include "kernel/session.h"

/* A request's later events first: whoever is seen prepared is seen to its end. */
static const char *const programs[NVME_HOOKS_MAX] = {
	"on_nvme_async_event", /* not in every object */
	"on_nvme_complete_rq",
	"on_nvme_sq",
	"on_nvme_setup_cmd",
};

void nvme_hooks_hold_back(struct bpf_object *object)
{
	for (int i = 0; i < NVME_HOOKS_MAX; i++) {
		struct bpf_program *program = bpf_object__find_program_by_name(object, programs[i]);

		if (program)
			bpf_program__set_autoattach(program, false);
	}
}

bool nvme_driver_is_there(void)
{
	return !access("/sys/module/nvme_core", F_OK);
}

/* A child without a capability asks for a tracepoint that is not there: EPERM
 * comes before ENOENT.
 */
bool nvme_hooks_need_privilege(struct bpf_object *object)
{
	struct bpf_program *program = bpf_object__find_program_by_name(object, "on_nvme_setup_cmd");
	int fd = program ? bpf_program__fd(program) : -1, status;
	struct why why = { 0 };
	pid_t child = fork();

	if (!child)
		_exit(privilege_drop(&why) ||
		      bpf_raw_tracepoint_open("iostrata_no_such_event", fd) != -ENOENT);
	return child < 0 || waitpid(child, &status, 0) != child || status;
}

int nvme_hooks_attach(struct nvme_hooks *hooks, struct bpf_object *object, struct why *why)
{
	if (hooks->attached)
		return 0;
	for (int i = 0; i < NVME_HOOKS_MAX; i++) {
		struct bpf_program *program = bpf_object__find_program_by_name(object, programs[i]);
		int err;

		if (!program)
			continue;
		hooks->link[i] = bpf_program__attach_raw_tracepoint(program,
								    programs[i] + strlen("on_"));
		if (hooks->link[i])
			continue;
		err = -errno;
		nvme_hooks_detach(hooks);
		return err == -ENOENT ? 0
				      : session_refused(why, err, "attaching to the NVMe tracepoints");
	}
	hooks->attached = true;
	return 0;
}

void nvme_hooks_detach(struct nvme_hooks *hooks)
{
	for (int i = NVME_HOOKS_MAX; i--;) {
		bpf_link__destroy(hooks->link[i]);
		hooks->link[i] = NULL;
	}
	hooks->attached = false;
}
