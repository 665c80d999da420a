# SPDX-License-Identifier: GPL-2.0-only
# In: the guest's programs, the tool, a case. Out: cpio archives, which the
# kernel unpacks one over the other. Sourced.

cpio_of() { (cd "$1" && find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet) >"$2"; }

# The libraries that programs $2… name, and those these name, into root $1.
# $libraries: the folders to look in, of whatever architecture.
copy_libraries() {
	local root=$1 name at
	shift
	while [ $# -gt 0 ]; do
		# shellcheck disable=SC2046  # a list of words
		set -- $(readelf -d "$@" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u)
		for name in "$@"; do
			shift
			[ ! -e "$root/usr/lib/$name" ] || continue
			for at in $libraries ""; do [ ! -e "$at/$name" ] || break; done
			[ -n "$at" ] || { echo "$me: no library $name for the guest" >&2; return 1; }
			set -- "$@" "$at/$name"
		done
		[ $# = 0 ] || cp -L "$@" "$root/usr/lib/"
	done
}
triplet() { # of the guest
	[ "$arch" = arm64 ] && echo aarch64-linux-gnu || echo x86_64-linux-gnu
}
machine_libraries() { [ "$arch" = arm64 ] || echo "/usr/local/lib /lib/$(triplet) /usr/lib/$(triplet) /lib /usr/lib"; }

# A program from the tools; if it is for this machine, else from the machine.
guest_program() { # NAME TOOLS
	local at
	for at in "$2"/{usr/,}{s,}bin/"$1" $([ "$arch" = arm64 ] || command -v "$1"); do
		[ -f "$at" ] && readlink -f "$at" && return
	done
	echo "$me: no program $1 for the guest" >&2
	return 1
}

fill_base() { # ROOT TOOLS
	local root=$1 tools=$2 program path
	mkdir -p "$root"/{bin,sbin,proc,sys,dev,tmp,run,results,case,tools/bin,usr/lib,lib,lib64,etc,var/run,mnt}
	ln -s /usr/lib/ld-linux-x86-64.so.2 "$root/lib64/"
	ln -s /usr/lib/ld-linux-aarch64.so.1 "$root/lib/"
	cp "$tools/bin/busybox" "$root/bin/"
	ln -s /bin/busybox "$root/sbin/modprobe" # where the kernel asks for a scheduler's module
	cp "$here/vm.d/init" "$root/init"
	libraries="$tools/usr/lib/$(triplet) $tools/lib/$(triplet) $(machine_libraries)"
	for program in $guest_programs; do
		path=$(guest_program "$program" "$tools") && cp "$path" "$root/tools/bin/$program" || return 1
	done
	copy_libraries "$root" "$root"/tools/bin/* || return 1
	ln -s /tools/bin/bash "$root/bin/bash"
	ln -s /proc/mounts "$root/etc/mtab"
	[ "$arch" = arm64 ] || gcc -O2 -static -o "$root/bin/poweroff-now" "$here/vm.d/poweroff-now.c"
}

# Prints base.cpio: busybox, tools, init. Made once for each set of tools.
base_archive() {
	local tools=$1 out root
	out=$cache/base-$(cat "$here"/vm.d/{init,initramfs.sh,fetch.sh,poweroff-now.c} | cksum | cut -d' ' -f1)
	out=$out-$(basename "$tools").cpio
	[ ! -e "$out" ] || { echo "$out"; return 0; }
	root=$(mktemp -d "$cache/base.half.XXXXXX") || return 1
	if fill_base "$root" "$tools" && cpio_of "$root" "$out.half" && mv "$out.half" "$out"; then echo "$out"; fi
	rm -rf "$root" "$out.half"
	[ -e "$out" ]
}

# The tool, the cases' libraries and the case, into $2; $1: the case.
payload_archive() {
	local case=$1 out=$2 root=$work/payload program programs=("$build/iostrata") parts
	listed programs
	programs+=("${parts[@]/#/$build/}")
	mkdir -p "$root/case/bin" "$root/usr/lib"
	cp "$top"/tests/vm/lib*.sh "$root/case/"
	cp "$case" "$root/case/run"
	for program in "${programs[@]}"; do
		[ -f "$program" ] || { echo "$me: $program is not built: run make check-vm" >&2; return 1; }
	done
	cp "${programs[@]}" "$root/case/bin/"
	libraries=$(machine_libraries) copy_libraries "$root" "${programs[@]}" && cpio_of "$root" "$out"
}
