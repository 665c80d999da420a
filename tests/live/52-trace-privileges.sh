#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# `trace` takes two capabilities and gives them up, opens no block device and
# writes nothing but its report; what it can't do it says in one line.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/flights.sh"

scratch 16m
bad 2 "/dev/no-such-disk.*lsblk" "$IOSTRATA" trace -d 100ms /dev/no-such-disk
bad 2 "no-such-disk.*lsblk" "$IOSTRATA" trace -d 100ms no-such-disk
bad 2 "$work/scratch.0 is no block device" "$IOSTRATA" trace -d 100ms "$work/scratch.0"
bad 2 "/dev/null is no block device" "$IOSTRATA" trace -d 100ms /dev/null
bad 2 "12abc" "$IOSTRATA" trace -d 12abc "$scratch"
bad 2 "--interval" "$IOSTRATA" trace -n 3 "$scratch"
bad 2 "power of two" "$IOSTRATA" trace -d 100ms --table-sets 12 "$scratch"
bad 1 "/no/such/folder" "$IOSTRATA" trace -d 100ms -o /no/such/folder/t.json "$scratch"
bad 1 "/dev/full.*[Ss]pace" "$IOSTRATA" trace -d 100ms -o /dev/full "$scratch"

# A partition: its requests are its disk's.
scratch 16m -P
# An MBR by hand: one entry of type 0x83 at sector 2048, 4096 long.
printf '\0\0\0\0\203\0\0\0\0\010\0\0\0\020\0\0' | dd of="$scratch" bs=1 seek=446 conv=notrunc status=none
printf '\125\252' | dd of="$scratch" bs=1 seek=510 conv=notrunc,fsync status=none
partition=${scratch#/dev/}p1
for _ in $(seq 20); do [ -e "/sys/class/block/$partition" ] && break; partx -a "$scratch" 2>/dev/null || true; sleep 0.05; done
if [ -e "/sys/class/block/$partition" ]; then
	bad 2 "$partition is a partition.*trace ${scratch#/dev/}" "$IOSTRATA" trace -d 100ms "$partition"
	partx -d "$scratch"
else
	echo "no partition could be made on $scratch: that case is left out"
fi

# Nobody without the capabilities; but with just these two.
chmod 755 "$work"
install -m 755 "$IOSTRATA" "$work/iostrata"
nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
# shellcheck disable=SC2086  # a list of words
{
bad 3 "CAP_BPF" $nobody --inh-caps=-all --bounding-set=-all "$work/iostrata" trace -d 100ms "$scratch"
bpf="+bpf,+perfmon"
$nobody --inh-caps=-all,$bpf --ambient-caps=-all,$bpf "$work/iostrata" trace -d 20s -f json "$scratch" >"$work/trace" 2>"$work/err.trace" &
}
tracing=$!
ids=$(attached $tracing)
for set in CapInh CapPrm CapEff CapAmb; do
	equal "$set of trace by nobody, while it runs" "$(awk -v s=$set: '$1 == s { print $2 }' /proc/$tracing/status)" 0000000000000000
done
fio --name=x --filename="$scratch" --direct=1 --bs=4k --rw=randread --ioengine=io_uring --number_ios=500 --norandommap --allow_file_create=0 >/dev/null
kill -INT $tracing
well wait $tracing
let_go "trace by nobody" "$ids"
equal "reads seen by nobody" "$(json "$work/trace" "next(o['started'] for o in r['devices'][0]['ops'] if o['op'] == 'read')")" 500

# As root: all capabilities dropped, no block device open, none opened ever.
"$IOSTRATA" trace -f json -o "$work/trace" "$scratch" &
tracing=$!
ids=$(attached $tracing)
for set in CapInh CapPrm CapEff CapAmb; do
	equal "$set of trace by root, while it runs" "$(awk -v s=$set: '$1 == s { print $2 }' /proc/$tracing/status)" 0000000000000000
done
for fd in /proc/$tracing/fd/*; do
	[ ! -b "$fd" ] || fail "trace holds $(readlink "$fd") open"
done
kill -INT $tracing
status 0 wait $tracing
let_go "trace by root" "$ids"
valid "$work/trace"

command -v strace >/dev/null || { echo "no strace: system calls were not followed"; exit 0; }
strace -f -qq -e trace=open,openat,openat2,creat,pwrite64,ioctl,rename,renameat,renameat2,unlink,unlinkat,mount -o "$work/calls" \
	"$IOSTRATA" trace -d 300ms -f json -o "$work/trace" "$scratch"
grep -E 'open(at2?)?\(' "$work/calls" | grep -qE '"/dev/(loop|vd|sd|nvme|zram|dm)' && fail "a block device is opened: $(grep -E '"/dev/' "$work/calls")"
wrote=$(grep -E 'O_(WRONLY|RDWR)' "$work/calls" | grep -vE "$work/|/dev/null|bpf|\"/dev/tty" || true)
[ -z "$wrote" ] || fail "opened for writing: $wrote"
echo "$(wc -l <"$work/calls") calls followed"
