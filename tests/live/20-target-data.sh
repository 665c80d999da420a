#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What is written to the disposable device reads back, at any offset, with
# either block size, and a discard reads zero.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/target.sh"

same() { cmp -s "$1" "$2" || fail "$3: other data came back"; }

for block in 512 4096; do
	start -t 0 -b $block -s 64m
	equal "size" "$(blockdev --getsize64 "$device")" $((64 << 20))
	equal "block size" "$(blockdev --getss "$device")" $block
	equal "write cache" "$(cat "/sys/block/$loop/queue/write_cache")" "write back"
	head -c $((3 << 20)) /dev/urandom >"$work/data"
	dd if="$device" bs=1M iflag=direct status=none | cmp -n $((64 << 20)) - /dev/zero || fail "not zero at first"
	dd if="$work/data" of="$device" bs=1M oflag=direct status=none
	dd if="$device" of="$work/back" bs=$block count=$(((3 << 20) / block)) iflag=direct status=none
	same "$work/data" "$work/back" "written by 1m, read by $block"
	# Across page and request borders: odd numbers of blocks at odd offsets.
	dd if="$work/data" of="$device" bs=$((block * 37)) seek=11 count=15 oflag=direct status=none
	dd if="$device" of="$work/back" bs=$((block * 37)) skip=11 count=15 iflag=direct status=none
	head -c $((block * 37 * 15)) "$work/data" >"$work/want"
	same "$work/want" "$work/back" "odd offsets"
	# Through the page cache, at a byte offset, to the last byte.
	dd if="$work/data" of="$device" bs=1 count=777 seek=$(((64 << 20) - 777)) conv=fsync,notrunc status=none
	blockdev --flushbufs "$device"
	tail -c 777 "$device" >"$work/back"
	head -c 777 "$work/data" >"$work/want"
	same "$work/want" "$work/back" "the last 777 bytes"
	blkdiscard -o 4096 -l $((1 << 20)) "$device"
	dd if="$device" bs=4096 skip=1 count=256 iflag=direct status=none | cmp -n $((1 << 20)) - /dev/zero || fail "discarded data came back"
	dd if="$device" of="$work/back" bs=4096 count=1 iflag=direct status=none
	head -c 4096 "$work/data" | cmp -s - "$work/back" || fail "a discard took its neighbour"
	kill -TERM $target
	status 0 wait $target
	nothing_left 5 "SIGTERM"
done
status 0 "$IOSTRATA" target -q -t 0 -- sh -c 'mkfs.ext4 -q $IOSTRATA_DEVICE && e2fsck -fn $IOSTRATA_DEVICE >/dev/null 2>&1'
