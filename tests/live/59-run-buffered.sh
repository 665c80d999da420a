#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Through the page cache: read-ahead that nobody waited for is no completion
# withheld and no loss, no I/O gets another's bios, a cached read reached no
# device, and the flush of a synchronous write is `flush`.
. "$(dirname "$0")/lib.sh"
need_bpf
. "$(dirname "$0")/target.sh"
[ -w /proc/sys/vm/drop_caches ] || skip "cannot drop the page cache"

head -c 128M /dev/urandom >"$work/disk"
device=$(losetup -f --show --direct-io=on "$work/disk" 2>/dev/null || losetup -f --show "$work/disk")
detach() { losetup -d "$device"; }
undo detach

# traced FILE ARGS…: 0, or 5 when something was lost.
traced() {
	file=$1
	shift
	rc=0
	"$IOSTRATA" run -f json -o "$file" "$@" || rc=$?
	[ $rc = 0 ] || [ $rc = 5 ] || fail "run $*: exit status $rc"
}
noted() { json "$1" "any('$2' in note for note in r.get('notes', []))"; }

echo 1 >/proc/sys/vm/drop_caches
traced "$work/cold" --rate 2k --requests 2000 --rw read --buffered "$device"
equal "read-ahead is told" "$(noted "$work/cold" read-ahead)" true
for loss in slot_reused unidentified_bios bio_map_full contended; do
	equal "$loss" "$(json "$work/cold" "r['losses']['$loss']")" 0
done
equal "events missing" "$(json "$work/cold" "r['checks']['kernel_events_missing']")" 0
# Some kernels withhold a few in a thousand; there are some 70 requests.
within "completions withheld" "$(json "$work/cold" "r['checks']['completions_withheld']")" 0 2

# A file: a device's pages go when nobody has it open.
head -c 8M "$work/disk" >"$work/file"
if "$IOSTRATA" run --requests 1 --rate 10 --buffered "$work/file" >/dev/null 2>"$work/err"; then :; else
	[ $? = 5 ] || skip "the rest: $(cat "$work/err")"
fi
cat "$work/file" >/dev/null
traced "$work/cached" --rate 2k --requests 1000 --rw read --buffered "$work/file"
equal "no I/O reached the device" "$(noted "$work/cached" reached)" true
equal "layers" "$(json "$work/cached" "[l['layer'] for l in r['layers']]")" \
	"['backlog', 'submit', 'fs+return', 'reap', 'unattributed']"

# Larger than read-ahead goes at once: the rest is read in task work, of which no
# event says whose it is. It is counted as such, and given to no other I/O.
echo 1 >/proc/sys/vm/drop_caches
traced "$work/large" --arrival closed --clients 4 --requests 16 --bs 8m --rw read --buffered \
	--io-log "$work/ios" "$device"
most=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "kernel_bytes") n = i; next } $n > m { m = $n } END { print m + 0 }' "$work/ios")
within "most bytes of an 8 MiB read" "$most" 1 8388608

traced_on_target() { "$IOSTRATA" target -q --flush-time 5ms -- sh -c 'exec "$@" "$IOSTRATA_DEVICE"' - "$@"; }
rc=0
traced_on_target "$IOSTRATA" run -f json -o "$work/sync" --rate 40 --requests 40 --rw write --write \
	--buffered --sync dsync || rc=$?
[ $rc = 0 ] || [ $rc = 5 ] || fail "buffered dsync: exit status $rc"
within "writes with a flush of their own" "$(layer "$work/sync" flush count)" 38 40
within "p50 of a flush of 5 ms" "$(layer "$work/sync" flush p50_ns)" 5000000 9000000
within "p50 of the data before it, of 1 ms" "$(layer "$work/sync" earlier p50_ns)" 1000000 4000000
equal "layers that hide a flush" "$(json "$work/sync" "[l['layer'] for l in r['layers'] if l['layer'] == 'sched+device']")" "[]"
