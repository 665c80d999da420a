#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make install puts the tool and its pages under DESTDIR and PREFIX and nothing
# else; the build follows what changed, BPF headers too, and else does nothing.
. "$(dirname "$0")/lib.sh"
tree=$(cd "$(dirname "$0")/../.." && pwd)
command -v clang >/dev/null && command -v make >/dev/null || skip "no clang or make: nothing can be built"

# A copy, so that no time stamp of the tree moves.
mkdir "$work/tree"
cp -a "$tree"/{Makefile,bpf,user,vmlinux} "$work/tree"
cd "$work/tree"
unset MAKEFLAGS MAKELEVEL MFLAGS
build() { make -C "$work/tree" --no-print-directory -j2 CFLAGS="-O0 -Wno-error" BUILD="$work/out" "$@" >"$work/log" 2>&1 || fail "make $*: $(tail -5 "$work/log")"; }
did() { grep -qE "^  $1 +$2\$" "$work/log"; }
build
did BPF bpf/trace.bpf.c && did LINK "$work/out/iostrata" || fail "the first build says nothing of what it does"
equal "output beside BUILD" "$(cd "$work/tree" && find . -newer "$work/out/bpf/trace.bpf.o" -type f | wc -l)" 0

build
equal "lines of a build with nothing to do" "$(grep -vc 'Nothing to be done' "$work/log" || true)" 0

# A header of the BPF side: objects, skeletons, and who includes either.
touch bpf/buckets.h
build
for what in 'BPF bpf/trace.bpf.c' "SKEL $work/out/skel/trace.skel.h" 'CC user/stat/hist.c' \
	'CC user/kernel/trace_session.c' "LINK $work/out/iostrata"; do
	# shellcheck disable=SC2086  # two words
	did $what || fail "touching bpf/buckets.h: no $what"
done
! did BPF bpf/run.bpf.c || fail "touching bpf/buckets.h rebuilds bpf/run.bpf.c, which does not include it"
! did CC user/base/parse.c || fail "touching bpf/buckets.h rebuilds user/base/parse.c"
touch user/target/fifo.h
build
did CC user/target/fifo.c && ! did BPF '.*' && ! did CC user/stat/hist.c || fail "touching user/target/fifo.h: $(cat "$work/log")"
# A source that goes takes its code along.
echo 'int left_behind_probe(void); int left_behind_probe(void) { return 7; }' >user/stat/left_behind.c
build
rm user/stat/left_behind.c
build
! nm "$work/out/libiostrata.a" | grep -q left_behind_probe || fail "the code of a removed source is still built in"

build V=1 -B "$work/out/user/stat/hist.o"
grep -q -- "-c -o $work/out/user/stat/hist.o" "$work/log" || fail "V=1 does not show the command"
build SAN=address,undefined "$work/out/san/user/stat/hist.o"
nm "$work/out/san/user/stat/hist.o" | grep -q __asan || fail "SAN= builds without sanitizers"

build install DESTDIR="$work/root" PREFIX=/usr
commands=$("$IOSTRATA" --help | awk '/^  [a-z]/ { print $1 }')
{ echo usr/sbin/iostrata; echo usr/share/man/man8/iostrata.8
	for command in $commands; do echo "usr/share/man/man8/iostrata-$command.8"; done; } | sort >"$work/wanted"
(cd "$work/root" && find . -type f | sed 's,^\./,,' | sort) | diff "$work/wanted" - || fail "installed files"
cd "$work"
"$work/root/usr/sbin/iostrata" model --requests 3 -f csv | grep -q '^closed,2,' || fail "the installed tool does not run"
equal "version" "$("$work/root/usr/sbin/iostrata" --version)" "$("$IOSTRATA" --version)"
if command -v man >/dev/null && command -v groff >/dev/null; then
	MANPATH=$work/root/usr/share/man man 8 iostrata-trace 2>/dev/null | grep -q 'iostrata trace \[OPTION' ||
		fail "man does not find iostrata-trace(8)"
fi
build clean
[ ! -e "$work/out" ] || fail "make clean leaves $work/out"
