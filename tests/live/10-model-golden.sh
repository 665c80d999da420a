#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A1, A2 and B3 as text, JSON and CSV, byte for byte. A golden file is rewritten
# by hand, after its figures were checked against the case, never by a script.
. "$(dirname "$0")/lib.sh"
golden=$(cd "$(dirname "$0")/../golden" && pwd)
mask() { sed -E 's/("started_realtime_ns": )[0-9]+/\1MASKED/; s/("version": )"[^"]*"/\1"MASKED"/'; }
# same NAME WANTED-STATUS OPTION...
same() {
	name=$1 wanted=$2
	shift 2
	status "$wanted" "$IOSTRATA" model "$@" > "$work/raw"
	mask < "$work/raw" > "$work/$name"
	diff -u "$golden/$name" "$work/$name" || fail "$name differs from its golden file"
}
overload=(--arrival open --interval 0.8ms --pause 0 --cutoff 2s)
same model-a1.txt 0
same model-a1.json 0 -f json
same model-a1.csv 0 -f csv
same model-a2.txt 5 "${overload[@]}"
same model-a2.json 5 "${overload[@]}" -f json
same model-b3.txt 0 --arrival open --pause 0 --stall 100ms --in-flight-cap 1

# The same figures once more, from the JSON, as the cases state them.
"$IOSTRATA" model -f json -o "$work/a1"
at() { json "$work/a1" "[m for m in r['models'] if m['name'] == '$1'][0]$2"; }
equal "open p99" "$(at open "['latency']['planned_to_reaped']['p99_ns']")" 83000000
equal "open mean" "$(at open "['latency']['planned_to_reaped']['mean_ns']")" 4030000
equal "open above 10 ms" "$(at open "['above']['count']")" 11
equal "open most in system" "$(at open "['depth']['in_system_max']")" 11
equal "closed planned" "$(at closed "['load']['counts']['planned']")" 190
equal "closed p99" "$(at closed "['latency']['planned_to_reaped']['p99_ns']")" 1000000
equal "corrected p99" "$(at closed "['corrected']['planned_to_reaped']['p99_ns']")" 91000000
equal "corrected samples" "$(at closed "['corrected']['planned_to_reaped']['count']")" 199
equal "synthetic samples" "$(at closed "['corrected']['synthetic']")" 9
equal "a rate is an interval" "$("$IOSTRATA" model --rate 100 | md5sum)" "$("$IOSTRATA" model | md5sum)"
