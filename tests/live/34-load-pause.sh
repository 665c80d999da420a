# SPDX-License-Identifier: GPL-2.0-only
# B1 to B4 on the disposable target: what a pause does to an open and a closed
# load, measured from the plan; and a rate that can't be kept up.
. "$(dirname "$0")/lib.sh"
need_root

# target OPTION... -- LOAD-OPTION...: a load on a target that serves 1 ms FIFO
target() {
	options=""
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	# shellcheck disable=SC2086,SC2016  # a list of words; expanded by the inner shell
	timeout 60 "$IOSTRATA" target --quiet --service-time 1ms $options -- sh -c \
		'exec "$0" load "$@" "$IOSTRATA_DEVICE"' "$IOSTRATA" -f json -o "$work/r.json" --io-log "$work/ios.csv" "$@"
}
pause="--pause 100ms --pause-at-request 1"
get() { json "$work/r.json" "$1"; }
ms() { get "r['latency']['$1']['$2'] / 1e6"; }
counts() { get "(lambda c: (c['planned'], c['completed'], c['errors'], c['timeouts'], c['in_flight_at_cutoff'], c['unsubmitted']))(r['load']['counts'])"; }

# A busy machine adds latency of its own (the target's account then shows it
# completing late), so that a case may be tried again: what is wrong stays wrong.
try() { for _ in 1 2 3 4 5; do ("$@") 2>"$work/why" && return 0; done; cat "$work/why" >&2; exit 1; }

# B1: an open load keeps asking during the pause and sees all of it.
# shellcheck disable=SC2086
open_load() {
	target $pause -- --rate 100 --runtime 2s
	equal "counts (open)" "$(counts)" "(200, 200, 0, 0, 0, 0)"
	within "p99 from the plan (open)" "$(ms planned_to_reaped p99_ns)" 83 95
	within "max (open)" "$(ms planned_to_reaped max_ns)" 101 115
}
# A closed one waits and sees it once: its second I/O comes after 110 ms.
# shellcheck disable=SC2086
closed_load() {
	target $pause -- --arrival closed --think 9ms --runtime 2s
	within "p99 (closed)" "$(ms planned_to_reaped p99_ns)" 0 10
	within "second submission, ms" "$(sort -n "$work/ios.csv" | awk -F, '$1 == 0 && $1 != "sequence" { first = $3 } $1 == 1 { print ($3 - first) / 1e6 }')" 110 125
}
# B3: one in flight at most; the clock starts at the plan, or at submission.
# shellcheck disable=SC2086
one_in_flight() {
	target $pause -- --rate 100 --runtime 2s --in-flight-cap 1
	equal "counts (cap 1)" "$(counts)" "(200, 200, 0, 0, 0, 0)"
	within "p99 from the plan (cap 1)" "$(ms planned_to_reaped p99_ns)" 83 95
	within "p50 from submission (cap 1)" "$(ms submitted_to_reaped p50_ns)" 1 3
	equal "in flight (cap 1)" "$(get "r['load']['in_flight']['max']")" 1
}
try open_load
try closed_load
try one_in_flight

# B2: the twin: the generator stops for 100 ms (after its first I/O), the target never does. What was
# due meanwhile goes out as one burst, each late by what was left of the stop.
cat >"$work/stopped" <<'S'
"$@" "$IOSTRATA_DEVICE" & load=$!
until grep -q "^requests=[1-9]" "$IOSTRATA_CONTROL" || ! kill -0 $load 2>/dev/null; do :; done
kill -STOP $load; sleep 0.1; kill -CONT $load
wait $load
S
stopped_load() {
timeout 60 "$IOSTRATA" target --quiet --service-time 1ms -- sh "$work/stopped" "$IOSTRATA" load \
	-f json -o "$work/r.json" --io-log "$work/ios.csv" --rate 100 --runtime 2s
equal "counts (stopped)" "$(counts)" "(200, 200, 0, 0, 0, 0)"
sort -n "$work/ios.csv" | awk -F, '$1 == "sequence" { next }
	{ count[$3]++; if (count[$3] > burst) { burst = count[$3]; at = $3 } plan[NR] = $2; sub_[NR] = $3; reap[NR] = $4; rows = NR }
	END {
		if (burst < 8 || burst > 12) { print "burst of " burst; exit 1 }
		for (i = 1; i <= rows; i++) if (sub_[i] == at) {
			k++; served = (reap[i] - at) / 1e6; late = (at - plan[i]) / 1e6
			if (served < k - 0.1 || served > k + 12) { print "the " k ". of the burst took " served " ms"; exit 1 }
			if (late < 0 || late > 115) { print "late by " late " ms"; exit 1 }
		}
	}' || fail "the burst after the stop"
}
try stopped_load

# B4: 2000/s to a target of 1000/s, with room in flight and without.
overload() {
	status 5 target -- --rate 2000 --runtime 2s
	equal "limit" "$(get "r['load']['limit']")" target
	equal "sustained" "$(get "r['load']['sustained']")" false
	within "in flight" "$(get "r['load']['in_flight']['max']")" 1800 2400
	within "backlog" "$(get "r['load']['backlog']['max']")" 0 200
	within "sum" "$(get "sum($(counts)[1:])")" 4000 4000
}
overload_at_cap() {
	status 5 target -- --rate 2000 --runtime 2s --in-flight-cap 64
	equal "limit (cap)" "$(get "r['load']['limit']")" "in-flight cap"
	get "r['load']['limit_text']" | grep -q "target behind it" || fail "the target is not named"
	within "in flight (cap)" "$(get "r['load']['in_flight']['max']")" 64 64
	within "backlog (cap)" "$(get "r['load']['backlog']['max']")" 1500 2200
	within "sum (cap)" "$(get "sum($(counts)[1:])")" 4000 4000
}
try overload
try overload_at_cap

# A target that stops answering: time-outs are counted, the end is bounded.
status 5 target --pause 5s --pause-at 500ms -- --rate 200 --runtime 2s --timeout 300ms
within "time-outs" "$(get "r['load']['counts']['timeouts']")" 100 300
within "sum (time-outs)" "$(get "sum($(counts)[1:])")" 400 400

# The same with requests alone, and too few slots to go on: given up in bounded time.
start=$SECONDS
status 5 target --pause 10s --pause-at 200ms -- --rate 200 --requests 2000 --in-flight-cap 8 --timeout 300ms
within "sum (stuck)" "$(get "sum($(counts)[1:]) - r['load']['counts']['planned']")" 0 0
within "seconds until given up" $((SECONDS - start)) 0 8
get "r['load']['limit_text']" | grep -q "ended early.*ETIMEDOUT" || fail "$(get "r['load']['limit_text']")"

# The server dies under the load: errors by kind, and an end soon.
"$IOSTRATA" target --quiet --service-time 1ms >"$work/device" & target=$!
for _ in $(seq 100); do [ -s "$work/device" ] && break; sleep 0.1; done
device=$(cat "$work/device")
[ -b "$device" ] || fail "no target"
start=$SECONDS
"$IOSTRATA" load -f json -o "$work/r.json" --rate 500 --runtime 60s --timeout 2s "$device" & load=$!
sleep 1
# The one that serves is the leaf of the target's processes.
server=$target
while child=$(pgrep -P "$server"); do server=$child; done
kill -KILL "$server"
got=0; wait $load || got=$?
equal "status after the server died" "$got" 5
within "seconds until it ended" $((SECONDS - start)) 0 30
equal "sum (killed)" "$(get "sum($(counts)[1:]) - r['load']['counts']['planned']")" 0
within "errors (killed)" "$(get "r['load']['counts']['errors']")" 16 30000
equal "kind of error" "$(get "r['load']['errors'][0]['name']")" EIO
get "r['load']['limit_text']" | grep -q "ended early.*EIO" || fail "$(get "r['load']['limit_text']")"
wait $target || true
