#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A device that makes no requests (zram) is not passed over in silence; the
# machine's own disk is traced with all that others do on it; and without a name
# every device is.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

reads() { # DEVICE COUNT
	fio --name=x --filename="$1" --readonly --direct=1 --bs=4k --rw=randread --size=64m --ioengine=io_uring --iodepth=4 \
		--number_ios="$2" --norandommap --allow_file_create=0 >"$work/fio" || fail "fio: $(cat "$work/fio")"
}
# watched COMMAND, while a trace of $devices writes $work/trace; Ctrl-C ends it
watched() {
	# shellcheck disable=SC2086  # a list of words
	"$IOSTRATA" trace -d 60s -f json -o "$work/trace" $devices &
	tracing=$!
	ids=$(attached $tracing)
	"$@"
	kill -INT $tracing
	well wait $tracing
	let_go "trace of ${devices:-all}" "$ids"
	valid "$work/trace"
	equal "interrupted" "$(json "$work/trace" "r['run']['interrupted']")" true
}
# started DISK OP: requests of it that the trace saw
started() { json "$work/trace" "sum(o['started'] for d in r.get('devices', []) if d['name'] == '$1' for o in d['ops'] if o['op'] == '$2')"; }

scratch 64m
loop=${scratch#/dev/}

# zram: bio-based. One of our own, if the driver is here.
if [ -r /sys/class/zram-control/hot_add ] && number=$(cat /sys/class/zram-control/hot_add); then
	zram=/dev/zram$number
	remove_zram() { echo "$number" >/sys/class/zram-control/hot_remove; }
	undo remove_zram
	for _ in $(seq 20); do [ -b "$zram" ] && break; sleep 0.05; done
	[ -b "$zram" ] || mknod "$zram" b $(tr : ' ' <"/sys/block/zram$number/dev")
	echo 64m >"/sys/block/zram$number/disksize"
	devices=$zram
	watched reads "$zram" 1000
	json "$work/trace" "' '.join(r.get('notes', []))" | grep -q "zram$number makes no requests" || fail "no word on a device without requests"
	# A run follows bios: exactly those of the generator.
	run --arrival closed --requests 1000 "$zram"
	valid "$work/r.json"
	flights <<'EOF'
r, ios = report("r.json"), rows("ios.csv")
clean(r)
counts_add_up(r)
layers_are_the_ios(r, ios)
for io in ios:
    has(io, "entered", "queued", "completed", "returned")
    # zram takes no non-blocking I/O: io_uring hands each to a worker.
    equal(f"I/O {io['sequence']}: how", io["how"].split("+")[-1], "bio_based")
    equal(f"I/O {io['sequence']}: never a request", (io["allocated_ns"], io["issued_ns"]), (None, None))
EOF
else
	echo "no zram here: that case is left out"
fi

# The disk below our own files, if it is one of requests; others use it too.
disk=$(lsblk -nrspo NAME,TYPE "$(findmnt -no SOURCE -T "$work")" 2>/dev/null | awk '$2 == "disk" { print $1; exit }')
if [ -n "$disk" ] && [ -d "/sys/block/${disk#/dev/}/mq" ]; then
	head -c 64m /dev/zero >"$work/data"
	sync "$work/data"
	devices=${disk#/dev/}
	# Two reads that lie side by side may merge.
	count() { awk '{ print $1 + $2 }' "/sys/block/$devices/stat"; }
	all() { count >"$work/before"; reads "$work/data" 777; count >"$work/after"; }
	watched all
	within "read requests of $disk" "$(started "$devices" read)" 760 $(($(cat "$work/after") - $(cat "$work/before") + 1000))
	equal "unaccounted" "$(json "$work/trace" "r['checks']['unaccounted']")" 0
	equal "devices but $disk" "$(json "$work/trace" "sum(d['name'] != '$devices' for d in r['devices'])")" 0
else
	echo "no disk of requests below $work: that case is left out"
fi

# All devices: ours is among them, exactly.
devices=
watched reads "$scratch" 555
equal "read requests of $loop" "$(started "$loop" read)" 555
