#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --help reads well at 80 columns, the man pages are clean roff and say the
# same, and what is wrong in usage is one line that names it.
. "$(dirname "$0")/lib.sh"
commands=$("$IOSTRATA" --help | awk '/^  [a-z]/ { print $1 }')
equal "commands listed" "$(wc -w <<<"$commands")" 7

"$IOSTRATA" --help >"$work/overview"
"$IOSTRATA" -h | diff "$work/overview" - || fail "-h is not --help"
"$IOSTRATA" --man >"$work/iostrata.8"
for command in $commands; do
	"$IOSTRATA" "$command" --help >"$work/help"
	"$IOSTRATA" "$command" --man >"$work/iostrata-$command.8"
	"$IOSTRATA" "$command" -h | diff "$work/help" - || fail "$command: -h is not --help"
	grep -q "^Usage: iostrata $command " "$work/help" || fail "$command: no usage line"
	# Examples stand last, each a whole command; nothing else is wide.
	sed '1,/^Examples:$/d' "$work/help" >"$work/examples"
	[ -s "$work/examples" ] || fail "$command: no examples"
	! grep -Ev "^  iostrata $command( |$)" "$work/examples" || fail "$command: an example that is none"
	! sed '/^Examples:$/,$d' "$work/help" | grep -E '.{80}' || fail "$command: wider than 79"
	! grep -E '.{101}' "$work/examples" || fail "$command: an example wider than 100"
	# Every option of the help is in the page.
	for option in $(grep -oE '^ .{4} --[a-z-]+' "$work/help" | grep -oE -- '--.*'); do
		grep -qF -- "\\fB${option//-/\\-}\\fR" "$work/iostrata-$command.8" ||
			fail "$option is not in iostrata-$command(8)"
	done
	grep -qF "iostrata\\-$command" "$work/iostrata.8" || fail "$command is not in iostrata(8)"
	status 1 "$IOSTRATA" "$command" --help >/dev/full 2>"$work/err"
	grep -q 'No space left' "$work/err" || fail "$command --help >/dev/full: $(cat "$work/err")"
done
if command -v groff >/dev/null; then
	for page in "$work"/*.8; do
		groff -man -ww -z "$page" 2>"$work/err"
		[ ! -s "$work/err" ] || fail "$page: $(cat "$work/err")"
	done
fi

# bad TEXT ARGS…: exit status 2, nothing on stdout, one line with that text
bad() {
	local text=$1
	shift
	status 2 "$IOSTRATA" "$@" >"$work/out" 2>"$work/err"
	equal "lines on stderr of: $*" "$(wc -l <"$work/err")" 1
	equal "bytes on stdout of: $*" "$(wc -c <"$work/out")" 0
	grep -qF -- "$text" "$work/err" || fail "$*: says $(cat "$work/err")"
}
bad "no option '--foo'; \`iostrata load --help\`" load --foo x
bad "no option '-Z'" load -Z x
bad "no option '--foo=3'" trace --foo=3
bad "--rate needs an argument: N" load --rate
bad "--interval needs an argument: TIME" trace -i
bad "--write takes no argument" load --write=3 x
bad "--r: several options begin like that" load --r 3 x
bad "missing TARGET" load --rate 1
bad "too many arguments, from 'extra'" check extra
bad "--rate 12abc: not a rate" load --rate 12abc x
bad "--interval 1ms: must be 10ms to 86400s" trace --interval 1ms
bad "--bs 2g: must be 1 bytes to 1073741824 bytes" load --bs 2g x
bad "--count 0: must be at least 1" trace -i 1s -n 0
bad "--think 99999999999999999999s: too large" load --think 99999999999999999999s x
bad "--format xml: must be one of text, json" trace -f xml
bad "no command 'frob'" frob
# What follows -- is another program's.
"$IOSTRATA" model --requests 1 -f csv -o "$work/one.csv"
bad "no option '--pause-att'" target --pause-att 1s -- true --help
