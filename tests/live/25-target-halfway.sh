#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A target that is killed at any moment of its start leaves nothing: one of
# its processes is killed after 0 to 40 ms, whatever it is doing then.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/target.sh"

leftovers() { # of targets whose caller's pid is $target
	grep -o " /[a-z]*/iostrata\.$target\.[^ ]*" /proc/mounts
	find /run /tmp -maxdepth 1 -name "iostrata.$target.*"
	grep -ls "iostrata\.$target\." /sys/block/loop*/loop/backing_file
	for pid in $family; do gone "$pid" || echo "process $pid"; done
	true
}
family_of() { # the target's own processes, as far as they are there
	local keepers servers
	keepers=$(pgrep -P "$target" -x 'iostrata.*' || true)
	servers=$([ -z "$keepers" ] || pgrep -P "${keepers//$'\n'/,}" -x 'iostrata.*' || true)
	echo $target $keepers $servers
}
for round in $(seq 0 47); do
	"$IOSTRATA" target -q -s 16m >/dev/null 2>"$work/err" &
	target=$!
	sleep "0.0$(printf %02d $((round % 16 * 25 / 10)))"
	family=$(family_of)
	set -- $family
	victim=$((round / 16 + 1))
	[ $# -ge $victim ] || victim=$#
	kill -KILL "${!victim}" 2>/dev/null || true
	[ $victim = 1 ] || { sleep 0.05; kill -TERM $target 2>/dev/null || true; }
	wait $target 2>/dev/null || true
	limit=$((SECONDS + 12))
	while [ -n "$(leftovers)" ]; do
		[ $SECONDS -lt $limit ] || fail "round $round, victim $victim of $family: $(leftovers | tr '\n' ',')"
		sleep 0.05
	done
done
