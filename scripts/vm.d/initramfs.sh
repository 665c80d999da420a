# SPDX-License-Identifier: GPL-2.0-only
# In: the guest's programs, the tool, a case. Out: cpio archives, which the
# kernel unpacks one over the other. Sourced.

cpio_of() { (cd "$1" && find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet) >"$2"; }

# Libraries (and the loader) of programs $2…, into root $1; $libraries: where
# unpacked ones lie.
copy_libraries() {
	local root=$1 library
	shift
	LD_LIBRARY_PATH=$libraries ldd "$@" 2>/dev/null | grep -oE '/[^ ]+\.so[^ ]*' | sort -u |
		while read -r library; do
			# At the same name in one of the loader's own folders.
			case $library in
			/lib64/*) install -D "$library" "$root$library" ;;
			*) install -D "$library" "$root/usr/lib/$(basename "$library")" ;;
			esac
		done
}

# Prints base.cpio: busybox, tools, init. Made once for each set of tools.
base_archive() {
	local tools=$1 out root program path
	out=$cache/base-$(cat "$here/vm.d/init" "$here/vm.d/initramfs.sh" "$here/vm.d/poweroff-now.c" |
		cksum | cut -d' ' -f1)-$(basename "$tools").cpio
	[ ! -e "$out" ] || { echo "$out"; return 0; }
	root=$(mktemp -d "$cache/base.half.XXXXXX") || return 1
	mkdir -p "$root"/{bin,sbin,proc,sys,dev,tmp,run,results,case,tools/bin,usr/lib,lib,lib64,etc,var/run,mnt}
	ln -s /usr/lib "$root/lib/x86_64-linux-gnu"
	cp "$tools/bin/busybox" "$root/bin/"
	cp "$here/vm.d/init" "$root/init"
	libraries=$tools/usr/lib/x86_64-linux-gnu:$tools/lib/x86_64-linux-gnu
	for program in $guest_programs; do
		path=$(for at in "$tools"/{usr/,}{s,}bin/"$program" $(command -v "$program"); do
			[ -f "$at" ] && readlink -f "$at" && break
		done)
		[ -n "$path" ] || { echo "$me: no program $program for the guest" >&2; rm -rf "$root"; return 1; }
		cp "$path" "$root/tools/bin/$program"
		copy_libraries "$root" "$path"
	done
	ln -s /tools/bin/bash "$root/bin/bash"
	ln -s /proc/mounts "$root/etc/mtab"
	gcc -O2 -static -o "$root/bin/poweroff-now" "$here/vm.d/poweroff-now.c" || return 1
	cpio_of "$root" "$out.half.$$" && mv "$out.half.$$" "$out"
	rm -rf "$root"
	echo "$out"
}

# arm64: the machine's loader cannot list libraries, so all that were unpacked.
base_archive_arm64() {
	local tools=$1 out=$cache/base-$(cat "$here/vm.d/init" "$here/vm.d/initramfs.sh" | cksum | cut -d' ' -f1)
	local root
	out=$out-$(basename "$1").cpio
	[ ! -e "$out" ] || { echo "$out"; return 0; }
	root=$(mktemp -d "$cache/base.half.XXXXXX") || return 1
	mkdir -p "$root"/{bin,sbin,proc,sys,dev,tmp,run,results,case,tools/bin,usr,etc,mnt}
	cp -a "$tools"/lib "$root/"
	cp -a "$tools/usr/lib" "$root/usr/"
	cp "$tools/bin/busybox" "$tools/bin/bash" "$root/bin/"
	cp "$tools/usr/bin/jq" "$root/tools/bin/"
	cp "$here/vm.d/init" "$root/init"
	ln -s /proc/mounts "$root/etc/mtab"
	cpio_of "$root" "$out.half.$$" && mv "$out.half.$$" "$out"
	rm -rf "$root"
	echo "$out"
}

# The tool, the cases' libraries and the case, into $2; $1: the case.
payload_archive() {
	local case=$1 out=$2 root program
	root=$(mktemp -d "$work/payload.XXXXXX") || return 1
	mkdir -p "$root/case/bin" "$root/usr/lib" "$root/lib64"
	cp "$top"/tests/vm/lib*.sh "$root/case/"
	cp "$case" "$root/case/run"
	for program in "$build/iostrata" $payload_programs; do
		[ -f "$program" ] || continue
		cp "$program" "$root/case/bin/"
		libraries="" copy_libraries "$root" "$program"
	done
	cpio_of "$root" "$out"
}
