# SPDX-License-Identifier: GPL-2.0-only
# Sourced by every live case. A case is one file NN-name.sh that exits 0
# (passed), 77 (skipped, its reason printed) or otherwise (failed). Whatever it
# makes goes under $work or is undone by a function handed to `undo`.
set -eu
: "${IOSTRATA:=$(cd "$(dirname "$0")/../.." && pwd)/build/iostrata}"
work=$(mktemp -d "${TMPDIR:-/tmp}/iostrata-live.XXXXXX")
undo_list=""
undo() { undo_list="$1 $undo_list"; }
cleanup() {
	status=$?
	trap - EXIT INT TERM
	for action in $undo_list; do "$action" || true; done
	rm -rf "$work"
	exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
fail() { echo "FAIL: $*" >&2; exit 1; }
skip() { echo "SKIP: $*"; exit 77; }
need_root() { [ "$(id -u)" = 0 ] || skip "needs root"; }
need_bpf() { "$IOSTRATA" check --require trace >/dev/null 2>&1 || skip "no BPF tracing here: $("$IOSTRATA" check --require trace 2>&1 | tail -n 1)"; }
# equal WHAT GOT WANTED · within WHAT GOT LOW HIGH (numbers)
equal() { [ "$2" = "$3" ] || fail "$1: got $2, wanted $3"; }
within() { awk -v x="$2" -v l="$3" -v h="$4" 'BEGIN { exit !(x + 0 >= l + 0 && x + 0 <= h + 0) }' || fail "$1: got $2, wanted $3 to $4"; }
# json FILE PYTHON-EXPRESSION over the document r
json() { python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
v = eval(sys.argv[2])
print(str(v).lower() if isinstance(v, bool) else v)' "$1" "$2"; }
# status WANTED COMMAND...: runs it, wants that exit status
status() { wanted=$1; shift; got=0; "$@" || got=$?; equal "exit status of: $*" "$got" "$wanted"; }
# layer FILE NAME FIELD: one field of one layer's row, 0 if there is none
layer() { json "$1" "next((l['dist']['$3'] if '$3' in l['dist'] else l['$3'] for l in r['layers'] if l['layer'] == '$2'), 0)"; }
