#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every command line that the README and each --help show runs as written: in
# order, on the built-in target in place of the disks they name, for a shorter
# time. Exit status 0, or 5 where the report shows the one loss that some
# kernels bring about (docs/kernels.md), or the model's overload, meant to be 5.
. "$(dirname "$0")/lib.sh"
need_bpf
. "$(dirname "$0")/target.sh"
tree=$(cd "$(dirname "$0")/../.." && pwd)
start --service-time 0 --size 64m --quiet
unset MAKEFLAGS MAKELEVEL MFLAGS

mkdir "$work/bin" "$work/here" "$work/here/build"
ln -s "$IOSTRATA" "$work/bin/iostrata"
ln -s "$IOSTRATA" "$work/here/build/iostrata"
PATH=$work/bin:$PATH

shorter() {
	sed -E "s,/dev/vdb\b,$device,g; s,\bvda\b,$loop,g; s/-d [0-9]+s/-d 500ms/; s/-i 1s/-i 200ms/
		s/--runtime (30|10|5)s/--runtime 1s/; s/--warmup 5s/--warmup 200ms/; s/--requests 5000/--requests 500/"
}
is_allowed_loss() {
	grep -qE '[1-9][0-9,]* completion_missed|"completion_missed": ?[1-9]' "$work/said" $(find . -newer "$work/mark" -type f)
}
ran=0
# example WHERE LINE
example() {
	local line bound="" rc=0
	line=$(shorter <<<"$2")
	# Those that end by a signal only.
	case $line in *" -- "*) ;; "iostrata target "*) bound="timeout --preserve-status -s INT 1" ;; esac
	touch "$work/mark"
	bash -c "set -e; $bound $line" >"$work/said" 2>&1 </dev/null || rc=$?
	ran=$((ran + 1))
	case $rc:$line in
	0:*) ! grep -q 'NOT SUSTAINED' "$work/said" || fail "$1: not sustained, yet status 0: $line" ;;
	5:*model*--cutoff*) grep -qi 'not sustained' "$work/said" || fail "$1: status 5 without a word: $line" ;;
	5:*) is_allowed_loss || fail "$1: status 5, and not by a withheld completion: $line: $(cat "$work/said")" ;;
	*) fail "$1: status $rc: $line: $(cat "$work/said")" ;;
	esac
}

readme() { awk '/^```/ { inside = ($0 == "```sh"); next } inside' "$tree/README.md" | sed 's/ *#.*//'; }
readme | grep -q '^make demo$' && readme | grep -q '^make test$' || fail "README: the two commands are not there"
while read -r line; do
	case $line in
	"" | "make test") ;; # this test is a part of it
	make\ *) cd "$tree" && example README "$line" ;;
	*) cd "$work/here" && example README "$line" ;;
	esac
done < <(readme)
within "examples in the README" $ran 7 20

for command in $(iostrata --help | awk '/^  [a-z]/ { print $1 }'); do
	mkdir "$work/$command" && cd "$work/$command"
	[ "$command" != demo ] || continue # ran for the README
	before=$ran
	while read -r line; do
		example "$command --help" "$line"
	done < <(iostrata "$command" --help | sed '1,/^Examples:$/d')
	[ $ran -gt $before ] || fail "$command --help: no example ran"
done
echo "$ran examples ran"
