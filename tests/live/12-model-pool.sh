#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A3: two runs pooled from their responses, the same bytes in either order.
. "$(dirname "$0")/lib.sh"
cd "$work"
apart=(--arrival open --requests 100 --interval 200ms)
"$IOSTRATA" model "${apart[@]}" --pause 99ms -f csv -o a.csv
"$IOSTRATA" model "${apart[@]}" --pause 0 --service 100ms -f csv -o b.csv
for format in text json; do
	"$IOSTRATA" model -f $format -o "ab.$format" --pool a.csv b.csv
	"$IOSTRATA" model -f $format -o "ba.$format" --pool b.csv a.csv
	cmp "ab.$format" "ba.$format" || fail "$format: the order of the files shows"
done
equal "p99 of a" "$(json ab.json "r['sources'][0]['planned_to_reaped']['p99_ns']")" 1000000
equal "p99 of b" "$(json ab.json "r['sources'][1]['planned_to_reaped']['p99_ns']")" 100000000
equal "pooled p99" "$(json ab.json "r['latency']['planned_to_reaped']['p99_ns']")" 100000000
equal "pooled N" "$(json ab.json "r['latency']['planned_to_reaped']['count']")" 200
equal "pooled is exact" "$(json ab.json "r['latency']['planned_to_reaped']['exact']")" true
equal verdict "$(head -n 1 ab.text)" "p99 of 2 open runs pooled: 100 ms"
