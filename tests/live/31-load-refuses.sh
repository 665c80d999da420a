# SPDX-License-Identifier: GPL-2.0-only
# B7: what is in use or carries something is refused for writing, and nothing
# on it changes.
. "$(dirname "$0")/lib.sh"
need_root

truncate -s 32m "$work/backing"
device=$(losetup -f --show "$work/backing")
part="" mounted="" swapped=""
leave() {
	[ -z "$swapped" ] || swapoff "$swapped"
	[ -z "$mounted" ] || umount "$mounted"
	[ -z "$part" ] || delpart "$device" 1
	losetup -d "$device"
}
undo leave
sum() { sync; md5sum <"$1" | cut -d' ' -f1; }
# refused WHAT TARGET PATTERN [OPTION...]: status 1, one line, nothing changed
refused() {
	what=$1 target=$2 pattern=$3; shift 3
	before=$(sum "$target")
	got=0
	timeout 20 "$IOSTRATA" load --rw randwrite --write --rate 100 --requests 5 "$@" "$target" >"$work/out" 2>"$work/err" || got=$?
	equal "status ($what)" "$got" 1
	equal "lines ($what)" "$(wc -l <"$work/err")" 1
	grep -q -- "$pattern" "$work/err" || fail "$what: '$(cat "$work/err")' does not say '$pattern'"
	grep -qF -- "$target" "$work/err" || fail "$what: the target is not named"
	equal "bytes of $target ($what)" "$(sum "$target")" "$before"
	[ ! -s "$work/out" ] || fail "$what: output on stdout"
}
in_use() { refused "$1" "$2" "$3"; refused "$1, with consent" "$2" "$3" --destroy-data "$2"; }

# The backing file of a loop device, also by another name of it.
in_use "loop backing" "$work/backing" "backing of $device"
ln "$work/backing" "$work/hardlink"
in_use "loop backing by a hard link" "$work/hardlink" "backing of $device"

# A signature: consent is asked for, and must name the target.
mkfs.ext4 -q -L precious "$device"
# Mounted read-only below, so that ext4 itself changes nothing meanwhile.
refused "signature" "$device" "ext4.*precious"
status 2 "$IOSTRATA" load --rw randwrite --write --destroy-data "$work" --rate 100 --requests 5 "$device" 2>"$work/err"
grep -q "is not the target" "$work/err" || fail "consent for something else: $(cat "$work/err")"

# Mounted; also bound elsewhere, and in another mount namespace only.
mkdir "$work/mnt" "$work/bind"
mount -o ro "$device" "$work/mnt"; mounted=$work/mnt
in_use "mounted" "$device" "mounted at $work/mnt"
mount --bind "$work/mnt" "$work/bind"; umount "$work/mnt"; mounted=$work/bind
in_use "bind mount" "$device" "mounted at $work/bind"
umount "$work/bind"; mounted=""
unshare -m sh -c "mount --make-rprivate / && mount -o ro '$device' '$work/mnt' && touch '$work/ready' && exec sleep 60" & holder=$!
end_holder() { kill "$holder" 2>/dev/null; wait "$holder" 2>/dev/null; }
undo end_holder
for _ in $(seq 50); do [ -e "$work/ready" ] && break; sleep 0.1; done
[ -e "$work/ready" ] || fail "no mount in another namespace"
in_use "mounted in another namespace" "$device" "in use\|mounted"
end_holder || true
# Reading what is mounted disturbs nobody.
mount -o ro "$device" "$work/mnt"; mounted=$work/mnt
"$IOSTRATA" load --rate 100 --requests 5 "$device" >/dev/null
umount "$work/mnt"; mounted=""

# Swap, and a swap file.
mkswap -q "$device" 2>/dev/null
refused "swap signature" "$device" "swap"
if swapon "$device" 2>/dev/null; then
	swapped=$device
	in_use "swap" "$device" "used as swap"
	swapoff "$device"; swapped=""
else
	echo "note: no swap on this kernel"
fi

# A partition table; a mounted partition protects the disk and itself.
python3 - "$device" <<'P'
import struct, sys
table = bytearray(512)
table[446:462] = struct.pack('<8B2I', 0, 0, 0, 0, 0x83, 0, 0, 0, 2048, 40960)
table[510:] = b'\x55\xaa'
with open(sys.argv[1], 'r+b') as f:
    f.write(bytes(1 << 20))
    f.seek(0)
    f.write(table)
P
refused "partition table" "$device" "partition table: dos"
if addpart "$device" 1 2048 40960 2>/dev/null && part=$(ls "${device}"p1 2>/dev/null) && [ -b "$part" ]; then
	mkfs.ext4 -q -F "$part"
	mount -o ro "$part" "$work/mnt"; mounted=$work/mnt
	in_use "mounted partition" "$part" "mounted at $work/mnt"
	in_use "parent disk of a mounted partition" "$device" "shares blocks.*mounted at $work/mnt"
	umount "$work/mnt"; mounted=""
	delpart "$device" 1; part=""
else
	part=""
	echo "note: no partitions on this kernel"
fi

# A RAID member (md 1.2 superblock at 4 KiB), inactive: a signature.
python3 - "$device" <<'P'
import struct, sys
with open(sys.argv[1], 'r+b') as f:
    f.write(bytes(1 << 20))
    sb = bytearray(256)
    struct.pack_into('<4I', sb, 0, 0xa92b4efc, 1, 0, 0)
    sb[16:32] = bytes(range(16))
    struct.pack_into('<Q', sb, 128, 2048)   # data offset
    struct.pack_into('<Q', sb, 144, 8)      # super offset
    struct.pack_into('<I', sb, 220, 0)      # max_dev
    struct.pack_into('<I', sb, 216, 0)
    struct.pack_into('<I', sb, 216, (sum(struct.unpack('<64I', bytes(sb)))) & 0xffffffff)
    f.seek(4096)
    f.write(sb)
P
refused "RAID member" "$device" "linux_raid_member"

# dm, where the kernel has it: a held device.
if dmsetup version >/dev/null 2>&1; then
	dmsetup create "iostrata-live-$$" --table "0 8192 linear $device 0"
	free_dm() { dmsetup remove "iostrata-live-$$" 2>/dev/null; }
	undo free_dm
	in_use "dm member" "$device" "held by dm"
	free_dm
else
	echo "note: no device mapper on this kernel"
fi

# Data without a signature, and a file that exists.
head -c 32m /dev/zero >"$device" 2>/dev/null || true
printf x | dd of="$device" bs=1 seek=5000 conv=notrunc 2>/dev/null
refused "data" "$device" "carries data"
printf 'dear diary %5000s' '' >"$work/file"
refused "file" "$work/file" "a file that exists"
"$IOSTRATA" load --rw randwrite --write --destroy-data "$work/file" --rate 100 --requests 1 --bs 512 "$work/file" >/dev/null
equal "size after writing with consent" "$(stat -c %s "$work/file")" 5011
