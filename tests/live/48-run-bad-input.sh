#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What `run` can't do: one line on stderr that names the thing and the remedy,
# the right status, nothing on stdout, and nothing attached.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

scratch 16m
plan="--rate 100 --runtime 200ms"
run_bad() { expect=$1 says=$2; shift 2; bad "$expect" "$says" "$IOSTRATA" run "$@"; }
# shellcheck disable=SC2086  # $plan is a list of words
{
run_bad 2 "--rate 12abc" --rate 12abc --runtime 1s "$scratch"
run_bad 2 "--rate 0" --rate 0 --runtime 1s "$scratch"
run_bad 2 "--rate is missing" --runtime 1s "$scratch"
run_bad 2 "--runtime or --requests" --rate 100 "$scratch"
run_bad 2 "--bs 99999999999999999999" $plan --bs 99999999999999999999 "$scratch"
run_bad 2 "TARGET" $plan
run_bad 2 "too many" $plan "$scratch" extra
run_bad 1 "/dev/no-such-thing" $plan /dev/no-such-thing
run_bad 1 "/no/such/folder" $plan -o /no/such/folder/r.json "$scratch"
run_bad 2 "--write" $plan --rw write "$scratch"
run_bad 1 "smaller" $plan --bs 32m "$scratch"

mkdir "$work/memory"
mount -t tmpfs -o size=1m tmpfs "$work/memory"
unmount() { umount "$work/memory"; }
undo unmount
truncate -s 512k "$work/memory/file"
run_bad 1 "$work/memory/file.*no block device.*iostrata load" $plan "$work/memory/file"
head -c 2m /dev/zero >"$work/memory/full" 2>/dev/null || true
run_bad 1 "$work/memory/r.json.*[Ss]pace" $plan -f json -o "$work/memory/r.json" "$scratch"
[ ! -e "$work/memory/r.json" ] || fail "a report that has no room was left, of $(stat -c %s "$work/memory/r.json") bytes"
run_bad 1 "/dev/full.*[Ss]pace" $plan -o /dev/full "$scratch"
rm "$work/memory/full"
well "$IOSTRATA" run $plan -o "$work/r.txt" "$scratch" # and with room all is well
[ -s "$work/r.txt" ] || fail "no report"

# Without privileges: status 3, and how to get them.
mkdir "$work/open"
cp "$IOSTRATA" "$work/open/iostrata"
chmod 755 "$work" "$work/open" "$work/open/iostrata"
bad 3 "CAP_" setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all "$work/open/iostrata" run $plan "$scratch"
}
