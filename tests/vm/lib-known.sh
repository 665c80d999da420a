# SPDX-License-Identifier: GPL-2.0-only
# Sourced by the cases with a known answer, inside the guest: a run that is
# sound whatever it measured, and words for single I/Os, from the --io-log.

# after_reads DISK N: until N more reads of it are done than now; 60 s at most.
after_reads() {
	local from i
	from=$(awk '{ print $1 }' "/sys/block/$1/stat")
	for i in $(seq 6000); do
		[ $(($(awk '{ print $1 }' "/sys/block/$1/stat") - from)) -lt "$2" ] || return 0
		sleep 0.01
	done
	return 1
}

# ran STATUS FILE.json ARGUMENTS…: iostrata run with that exit status, its report
# in FILE.json, its I/Os in FILE.csv; sound. $prefix: words before the command.
ran() {
	local wanted=$1 file=$2
	shift 2
	# shellcheck disable=SC2086
	status "$wanted" ${prefix:-} iostrata run -f json -o "$file" --io-log "${file%.json}.csv" "$@"
	sound_run "$file"
}

# What holds for every run: counts add up, both sides counted the same I/Os,
# each I/O's layers sum to its total, nothing is lost or left unattributed.
# sound_run FILE
sound_run() {
	equal "planned - completed - errors - time-outs - in flight - unsubmitted" \
		"$(json "$1" '.load.counts | .planned - .completed - .errors - .timeouts - .in_flight_at_cutoff - .unsubmitted')" 0
	equal "attributed - completed" "$(json "$1" '.attribution.attributed - .load.counts.completed')" 0
	equal "layers' sum - total" "$(json "$1" '([.layers[].dist.sum_ns] | add) - .latency.planned_to_reaped.sum_ns')" 0
	equal "checks that are not 0" "$(json "$1" '[.checks | to_entries[] | select(.key | test("violations|mismatch|missing|only|unaccounted|withheld"))
		| select(.value != 0) | "\(.key) \(.value)"] | join(", ")')" ""
	equal "losses" "$(json "$1" '[.losses | to_entries[] | select(.value != 0)
		| select(.key | IN("stale_bios", "orphans_at_attach", "partial_completions") | not) | "\(.key) \(.value)"] | join(", ")')" ""
}

# spans FILE.csv FROM TO: ns from one boundary to another, of each completed I/O
# that has both, ascending.
spans() {
	awk -F, -v from="$2_ns" -v to="$3_ns" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["outcome"] == "completed" && $at[from] != "" && $at[to] != "" { printf "%d\n", $at[to] - $at[from] }' "$1" | sort -n
}
# quantile PERMILLE: nearest rank of the sorted numbers on stdin.
quantile() { awk -v p="$1" '{ v[NR] = $1 } END { r = int((p * NR + 999) / 1000); print v[r < 1 ? 1 : r] }'; }
# longest_but FILE LAYER…: the longest time in any layer but those named, and whose.
longest_but() {
	local file=$1
	shift
	jq -r --arg but " $* " '[.layers[] | select(.layer as $l | $but | contains(" \($l) ") | not) | [.dist.max_ns, .layer]] | max | "\(.[0]) \(.[1])"' "$file"
}
# op FILE DEVICE OP FIELD: of one operation's row of one device.
op() {
	jq -r --arg device "$2" --arg op "$3" "[.devices[] | select(.name == \$device) | .ops[] | select(.op == \$op) | $4][0] // 0" "$1"
}
mean() { op "$1" "$2" "$3" "if .$4.count > 0 then .$4.sum_ns / .$4.count | floor else 0 end"; } # FILE DEVICE OP queue|service
# ordered FILE.csv BOUNDARY…: I/Os in which these are all there and in that
# order; two prints: how many have them, how many of these are out of order.
ordered() {
	local file=$1
	shift
	awk -F, -v names="$*" '
		BEGIN { n = split(names, name, " ") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ have = 1; bad = 0
		  for (i = 1; i <= n; i++) have = have && $at[name[i] "_ns"] != ""
		  for (i = 2; i <= n; i++) bad = bad || $at[name[i - 1] "_ns"] + 0 > $at[name[i] "_ns"] + 0
		  all += have; wrong += have && bad }
		END { print all + 0, wrong + 0 }' "$file"
}
