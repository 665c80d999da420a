# SPDX-License-Identifier: GPL-2.0-only
# In: the name of a kernel, or nothing but the need of QEMU. Out: their folders,
# unpacked in the cache (fetch_kernel, fetch_qemu, fetch_tools print it). Sourced.

kernel_row() { awk -v name="$1" '$1 == name' "$here/vm.d/kernels"; }
kernel_names() { awk '!/^#/ { print $1 }' "$here/vm.d/kernels"; }

# The packages that hold the kernel: from 6.19 linux-image is empty, and
# linux-binary and linux-modules hold its parts.
kernel_packages() {
	apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
		--no-replaces --no-enhances "$1" | grep -oE '^linux-(image|binary|modules|base)-[0-9][^ :]*' | sort -u
}

# The uncompressed kernel starts some seconds sooner under emulation. A bzImage
# says where its payload lies (Documentation/arch/x86/boot.rst).
uncompress_kernel() {
	python3 - "$1" <<'PY' >"$2.half" && mv "$2.half" "$2"
import lzma, struct, subprocess, sys
image = open(sys.argv[1], "rb").read()
setup = image[0x1f1] or 4
at, size = struct.unpack_from("<II", image, 0x248)
payload = image[(setup + 1) * 512 + at:][:size]
tools = {b"\x28\xb5\x2f\xfd": ["zstd", "-dcq"], b"\x02\x21\x4c\x18": ["lz4", "-dcq"]}
if payload[:4] in tools: # four bytes of size follow the stream
    out = subprocess.run(tools[payload[:4]], input=payload[:-4], stdout=subprocess.PIPE).stdout
elif payload[:6] == b"\xfd7zXZ\0":
    out = lzma.LZMADecompressor().decompress(payload)
else:
    sys.exit("unknown compression")
if out[:4] != b"\x7fELF":
    sys.exit("not an ELF kernel")
sys.stdout.buffer.write(out)
PY
}

# Prints the kernel's folder: boot image `kernel`, `release`, `modules.cpio`.
fetch_kernel() {
	local name=$1 arch suites meta packages tree
	read -r _ arch suites meta < <(kernel_row "$name")
	private_apt "$suites" "$arch" >&2 || { echo "$me: kernel $name: apt cannot read $suites" >&2; return 1; }
	# shellcheck disable=SC2046  # a list of words
	packages=$(versions $(kernel_packages "$meta")) && [ -n "$packages" ] || return 1
	tree=$cache/kernels/$name-$(echo "$packages" | head -n 1 | tr '=/:' '_')
	# shellcheck disable=SC2086
	unpack "$tree" $packages || return 1
	[ -e "$tree/ready" ] || prepare_kernel "$tree" "$arch" || { rm -rf "$tree"; return 1; }
	echo "$tree"
}

prepare_kernel() {
	local tree=$1 arch=$2 modules image
	modules=$(echo "$tree"/lib/modules/* "$tree"/usr/lib/modules/* | tr ' ' '\n' | grep -v '\*' | head -n 1)
	basename "$modules" >"$tree/release"
	image=$(ls "$tree"/boot/vmlinu[xz]-* "$modules"/vmlinu[xz] 2>/dev/null | head -n 1)
	[ -n "$image" ] || { echo "$me: no kernel image in $tree" >&2; return 1; }
	cp "$image" "$tree/kernel"
	[ "$arch" != amd64 ] || uncompress_kernel "$image" "$tree/kernel" ||
		echo "$me: $(basename "$tree"): boots compressed" >&2
	"$here/vm.d/modules" "$modules" "$tree/modules.cpio" || return 1
	touch "$tree/ready"
	rm -rf "$modules" "$tree/usr/share" # 100 MB each, and in modules.cpio what is needed
}

# QEMU as trixie has it, with its libraries, run by its own loader: 7.2 of
# bookworm corrupts patched kernel text under load (docs/vm.md).
fetch_qemu() {
	local arch=$1 package packages tree
	package=$([ "$arch" = arm64 ] && echo qemu-system-arm || echo qemu-system-x86)
	private_apt trixie "$(dpkg --print-architecture)" >&2 || return 1
	packages=$(apt-get install -s -qq --no-install-recommends "$package" seabios ipxe-qemu 2>/dev/null |
		awk '$1 == "Inst" { gsub(/[()]/, ""); print $2 "=" $3 }')
	[ -n "$packages" ] || { echo "$me: no $package in trixie" >&2; return 1; }
	tree=$cache/$package-$(echo "$packages" | cksum | cut -d' ' -f1)
	# shellcheck disable=SC2086
	unpack "$tree" $packages || return 1
	echo "$tree"
}

# What the guest's cases use beside the tool; those the machine has are taken
# from it.
guest_programs="bash jq nvme mdadm dmsetup mkfs.ext4 mkfs.xfs losetup blkid blockdev blkdiscard chrt taskset strace dd"
guest_packages="busybox-static bash jq nvme-cli mdadm dmsetup e2fsprogs xfsprogs util-linux mount strace coreutils"

# busybox-static conflicts with busybox, and mdadm's hooks have no business on a
# developer's machine: fetched, unpacked, never installed.
fetch_tools() {
	local packages tree
	private_apt "$(codename)" "$(dpkg --print-architecture)" /var/lib/dpkg/status >&2 || return 1
	# shellcheck disable=SC2086
	packages=$(apt-get install -s -qq --no-install-recommends $guest_packages 2>/dev/null |
		awk '$1 == "Inst" { print $2 }')
	# shellcheck disable=SC2046,SC2086
	packages=$(versions $(printf '%s\n' busybox-static $packages | sort -u)) || return 1
	tree=$cache/tools-$(echo "$packages" | cksum | cut -d' ' -f1)
	# shellcheck disable=SC2086
	unpack "$tree" $packages || return 1
	echo "$tree"
}

# The same for arm64 guests, with their libraries, of which this machine has
# none; without what else the packages want (perl, python, udev).
fetch_tools_arm64() {
	local packages tree
	private_apt bookworm arm64 >&2 || return 1
	# shellcheck disable=SC2086
	packages=$(apt-get install -s -qq --no-install-recommends $guest_packages 2>/dev/null |
		awk '$1 == "Inst" && $2 ~ /^(lib|zlib)/ && $2 !~ /^lib(perl|python|icu|sqlite|db5|pam)/ { print $2 }')
	# shellcheck disable=SC2046,SC2086
	packages=$(versions $(printf '%s\n' $guest_packages $packages | sort -u)) || return 1
	tree=$cache/tools-arm64-$(echo "$packages" | cksum | cut -d' ' -f1)
	# shellcheck disable=SC2086
	unpack "$tree" $packages || return 1
	echo "$tree"
}
