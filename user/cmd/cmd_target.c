// SPDX-License-Identifier: GPL-2.0-only
// In: options and signals. Out: a target that lives as long as we do.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/commands.h"
#include "target/target.h"

struct target_options {
	struct target_config config;
	bool quiet;
};

static const char *const blocks[] = { "512", "4096", NULL };

#define AT(field) .offset = offsetof(struct target_options, field)

static const uint64_t day_ns = 24 * 3600 * NS_PER_S;

static const struct option_spec options[] = {
	{ .type = OPTION_HEADING, .help = "The device:" },
	{ "size", 's', OPTION_BYTES, "SIZE", "Size, a multiple of 4096; memory is taken as it is written (default 1g)",
	  AT(config.size_bytes), .min = 4096, .max = 1ull << 46 },
	{ "block-size", 'b', OPTION_CHOICE, "BYTES", "Logical block size: 512 (default) or 4096",
	  AT(config.block), .choices = blocks },
	{ "service-time", 't', OPTION_DURATION, "TIME", "Service of each read, write and discard, one after the other (default 1ms; 0: at once)",
	  AT(config.service_ns), .max = 24 * 3600 * NS_PER_S },
	{ "flush-time", 'f', OPTION_DURATION, "TIME", "Service of each flush (default 0)",
	  AT(config.flush_ns), .max = 24 * 3600 * NS_PER_S },
	{ .type = OPTION_HEADING, .help = "Pauses:" },
	{ "pause", 'p', OPTION_DURATION, "TIME", "Length of a pause; without the options below only on demand",
	  AT(config.pause_ns), .max = 24 * 3600 * NS_PER_S },
	{ "pause-at-request", 'k', OPTION_U64, "K", "The K-th read or write after arming, from 1, takes so much longer",
	  AT(config.pause_at_request), .min = 1 },
	{ "pause-at", 'a', OPTION_DURATION, "TIME", "Nothing is served for that long from TIME after arming on",
	  AT(config.pause_at_ns), .max = 24 * 3600 * NS_PER_S },
	{ .type = OPTION_HEADING, .help = "Account and output:" },
	{ "account", 'A', OPTION_STRING, "FILE", "Write each armed request's arrival, start and completion as CSV at the end",
	  AT(config.account_path) },
	{ "account-max", 'M', OPTION_U64, "COUNT", "Keep at most so many requests, count the rest (default 1000000)",
	  AT(config.account_max), .min = 1, .max = 1ull << 32 },
	{ "quiet", 'q', OPTION_FLAG, NULL, "Say nothing on stderr but errors", AT(quiet) },
	{ 0 },
};

/* false: nobody can learn the device's path. */
static bool announce(const struct target_options *given, const struct target *target)
{
	if (!given->config.command && (puts(target_device(target)) < 0 || fflush(stdout)))
		return false;
	if (given->quiet)
		return true;
	fprintf(stderr, "iostrata: %s serves one request in %.3f ms, first in first out; control file %s\n",
		target_device(target), (double)given->config.service_ns / (double)NS_PER_MS,
		target_control_path(target));
	if (!given->config.command)
		fprintf(stderr, "iostrata: SIGUSR1 arms, SIGUSR2 pauses, ^C ends\n");
	return true;
}

static void order(const struct target *target, const char *text)
{
	struct why why = { 0 };

	if (target_control(target, text, &why))
		fprintf(stderr, "iostrata: %s\n", why.text);
}

/* false: take it down. The command's end takes it down by itself, so a first
 * signal is the command's, a second one ours.
 */
static bool on_signal(const struct target_options *given, const struct target *target, int fd,
		      bool *asked)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return true;
	if (info.ssi_signo == SIGUSR1) {
		order(target, "arm");
		return true;
	}
	if (info.ssi_signo == SIGUSR2) {
		order(target, "pause");
		return true;
	}
	if (!given->config.command || *asked)
		return false;
	*asked = true;
	/* One from the terminal has reached the command too. */
	if (info.ssi_code != SI_KERNEL)
		target_signal_command(target, (int)info.ssi_signo);
	return true;
}

/* Those we act on, as a descriptor; a SIGHUP ignored by nohup stays ignored. */
static int block_signals(void)
{
	struct sigaction hangup = { 0 };
	static const int ours[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		sigaddset(&set, ours[i]);
	sigaction(SIGHUP, NULL, &hangup);
	if (hangup.sa_handler == SIG_IGN)
		sigdelset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

/* Until a signal ends us, the command is done or the server died. */
static void attend(const struct target_options *given, const struct target *target)
{
	enum { GRACE_MS = 3000 };
	int signals = block_signals();
	bool asked = false;

	for (;;) {
		struct pollfd on[] = { { .fd = target_ended_fd(target), .events = POLLIN },
				       { .fd = signals, .events = POLLIN } };
		int ready = poll(on, 2, asked ? GRACE_MS : -1);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0 || on[0].revents)
			break;
		if (on[1].revents && !on_signal(given, target, signals, &asked))
			break;
	}
	close(signals);
}

static int run(const struct command_spec *spec, int argc, char **argv, struct why *why)
{
	struct target_options given = { .config = target_defaults() };
	struct positional rest;
	struct target *target;
	int status, err;

	given.config.account_max = 1000000;
	given.config.pause_at_ns = UINT64_MAX;
	options_parse(spec, argc, argv, &given, &rest);
	given.config.command = rest.count ? rest.words : NULL;
	given.config.pause_at_time = given.config.pause_at_ns <= day_ns;
	if (!given.config.account_path)
		given.config.account_max = 0;
	err = target_start(&given.config, &target, why);
	if (err)
		return err;
	if (announce(&given, target))
		attend(&given, target);
	else
		err = why_set(why, -errno, EXIT_FAILED, "standard output: %s", why_text(errno));
	status = target_stop(target, why);
	return err ? err : status;
}

const struct command_spec cmd_target = {
	"target",
	"a disposable block device with a known service time",
	"[-- COMMAND [ARG...]]",
	"Makes a loop device whose every request is served first in, first out, one "
	"at a time, in a known time, and prints its path when it is ready. Data is kept "
	"in memory while it lives. Whatever ends it, device, mount and processes go. "
	"With a COMMAND it lives as long as that runs, with the device in IOSTRATA_DEVICE "
	"and the control file in IOSTRATA_CONTROL; the exit status is the command's.\n\n"
	"Requests count from arming, so that probing by udev or blkid does not: `iostrata "
	"load` and `run` arm it, as do SIGUSR1 and the line `arm` in the control file. SIGUSR2 or "
	"`pause 100ms` there pauses it now; reading that file tells its state.\n\n"
	"Examples:\n"
	"  iostrata target --pause 100ms --pause-at-request 1 --account served.csv\n"
	"  iostrata target -- sh -c 'iostrata load --rate 100 --runtime 1s $IOSTRATA_DEVICE'\n"
	"  iostrata target -f 30ms -- sh -c 'mkfs.ext4 -q $IOSTRATA_DEVICE'\n",
	options, 0, -1, run,
};
