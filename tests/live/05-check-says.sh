# SPDX-License-Identifier: GPL-2.0-only
# `check` as root: complete and well-formed, says what was tried, leaves nothing.
. "$(dirname "$0")/lib.sh"
need_root

# Programs and maps of ours by name; a link holds its program, so none of those
# is none of these. The kernel frees after a grace period: up to 5 s.
left() { { bpftool prog list; bpftool map list; } 2>/dev/null | grep -c iostrata_probe || true; }
wait_gone() {
	for _ in $(seq 50); do [ "$(left)" != 0 ] || return 0; sleep 0.1; done
	fail "left in the kernel: $(bpftool prog list | grep iostrata_probe) $(bpftool map list | grep iostrata_probe)"
}
PATH=$PATH:/usr/sbin
command -v bpftool >/dev/null || fail "no bpftool to see with what is left"

"$IOSTRATA" check -f json -o "$work/check.json" >"$work/out" 2>"$work/err"
equal "bytes on stdout with -o" "$(wc -c <"$work/out")" 0
equal "bytes on stderr" "$(wc -c <"$work/err")" 0
equal schema "$(json "$work/check.json" "r['schema']")" iostrata.report/1
equal command "$(json "$work/check.json" "r['run']['command']")" check
equal kernel "$(json "$work/check.json" "r['tool']['kernel']")" "$(uname -r)"

# Each boundary of the one table exactly once, in its order.
table=$(sed -n 's/^\tX([A-Z_]*, "\([a-z_]*\)", "[A-Z]*", "\(bpf\|generator\)".*/\1/p' \
	"$(dirname "$0")/../../bpf/boundary.h" | tr '\n' ' ')
equal boundaries "$(json "$work/check.json" "' '.join(b['boundary'] for b in r['check']['boundaries'])") " "$table"
# What is missing says why, with what consequence, and what to do.
equal "missing without a reason" "$(json "$work/check.json" "sum(1 for b in r['check']['boundaries']
	if not b['available'] and not (b['why'] and b['consequence'] and b['remedy']))")" 0
equal "available without a hook" "$(json "$work/check.json" "sum(1 for b in r['check']['boundaries']
	if b['available'] and not b['hook'])")" 0
# A refusal names the step and the errno.
equal "refusals without errno" "$(json "$work/check.json" "sum(1 for h in r['check']['hooks'] for w in h['ways']
	if not w['available'] and not (w['errno'] > 0 and w['step'] in ('find', 'load', 'attach')))")" 0
equal "facts without a value or an error" "$(json "$work/check.json" "sum(1 for g in r['check']['facts'].values()
	for f in g.values() if f['value'] is None and not f.get('error'))")" 0

# The hooks agree with a source of their own: what tracefs lists, where it does.
events=/sys/kernel/tracing/events
if [ -d $events/block ]; then
	for event in block/block_rq_issue block/block_getrq io_uring/io_uring_submit_req nvme/nvme_sq; do
		wanted=false
		[ ! -d "$events/$event" ] || wanted=true
		equal "${event#*/}" "$(json "$work/check.json" "next(h['available'] for h in r['check']['hooks']
			if h['name'] == '${event#*/}')")" $wanted
	done
fi
equal cpus "$(json "$work/check.json" "r['check']['facts']['kernel']['cpus_allowed']['value']")" "$(nproc)"
equal memlock "$(json "$work/check.json" "r['check']['facts']['privileges']['memlock_bytes']['value']")" \
	"$(ulimit -l | awk '$1 == "unlimited" { print; next } { print $1 * 1024 }')"

# Text: the verdict first, then a row for each boundary; no escapes off a terminal.
"$IOSTRATA" check >"$work/text"
head -n 1 "$work/text" | grep -Eq '^(trace|run|load|target)' || fail "the verdict is not first: $(head -n 1 "$work/text")"
for boundary in $table; do
	equal "rows of $boundary" "$(grep -Ec "^$boundary +[-A-Z]+ .* (yes|no)$" "$work/text")" 1
done
equal "escapes in text" "$(grep -c "$(printf '\033')" "$work/text" || true)" 0

wait_gone
# Killed in the middle it leaves nothing either.
for delay in 0.02 0.05 0.08; do
	timeout -s KILL $delay "$IOSTRATA" check >/dev/null 2>&1 || true
done
wait_gone

status 1 "$IOSTRATA" check -o /dev/full 2>"$work/err"
grep -q 'No space left' "$work/err" || fail "a full disk is not named: $(cat "$work/err")"
status 1 "$IOSTRATA" check -o "$work/none/file" 2>"$work/err"
status 2 "$IOSTRATA" check --require nothing 2>"$work/err"
status 2 "$IOSTRATA" check surplus 2>"$work/err"
