# SPDX-License-Identifier: GPL-2.0-only
# The generator on a plain loop device: counts add up, every ending, the log.
. "$(dirname "$0")/lib.sh"
need_root

truncate -s 64m "$work/backing"
device=$(losetup -f --show "$work/backing")
free_device() { losetup -d "$device"; }
undo free_device
load() { "$IOSTRATA" load -f json -o "$work/r.json" "$@" "$device"; }
get() { json "$work/r.json" "$1"; }
# One look at the report for all of it: planned is the sum of what became of
# them, submitted all but the unsubmitted, and each completion is one sample.
adds_up() {
	equal "counts add up ($1)" "$(get "(lambda c, w: (
		c['planned'] - c['completed'] - c['errors'] - c['timeouts'] - c['in_flight_at_cutoff'] - c['unsubmitted'],
		c['planned'] - c['unsubmitted'] - c['submitted'], c['submitted'] - r['load']['schedule_error']['count'],
		c['completed'] - w - r['latency']['planned_to_reaped']['count']))(
		r['load']['counts'], r['load'].get('warmup', {}).get('completed', 0))")" "(0, 0, 0, 0)"
}

# Constant: arrivals in [0, runtime), half-open.
load --rate 997 --runtime 1s --io-log "$work/ios.csv"
adds_up constant
equal "planned" "$(get "r['load']['counts']['planned']")" 997
equal "log lines" "$(wc -l <"$work/ios.csv")" 998
awk -F, 'NR == 1 { next }
	{ n++; if (!($2 <= $3 && $3 <= $4)) bad++; if ($5 % 4096 || $5 + $6 > 67108864) bad++
	  plan[$1] = $2; if ($1 in seen) bad++; seen[$1] = 1 }
	END { for (i = 1; i < n; i++) { want = int(i * 1e9 / 997); if (plan[i] - plan[0] != want) bad++ }
	exit bad + (n != 997) }' "$work/ios.csv" || fail "the log disagrees with the schedule"

# Same seed, same offsets; another seed, others.
for seed in 1 1 2; do
	load --rate 2k --requests 50 --seed $seed --io-log "$work/ios.csv"
	sort -n "$work/ios.csv" | cut -d, -f5 | md5sum >>"$work/offsets"
done
equal "runs with one seed" "$(sort "$work/offsets" | uniq -c | awk '{ print $1 }' | sort | xargs)" "1 2"

# By requests: all are waited for, nothing is cut off.
load --arrival poisson --rate 5k --requests 1234
adds_up poisson
equal "completed" "$(get "r['load']['counts']['completed']")" 1234

# Closed: each client waits for its own I/O and thinks.
load --arrival closed --clients 4 --think 5ms --runtime 1s --io-log "$work/ios.csv"
adds_up closed
within "in flight" "$(get "r['load']['in_flight']['max']")" 1 4
within "closed I/Os" "$(get "r['load']['counts']['planned']")" 200 800
sort -t, -k10,10n -k1,1n "$work/ios.csv" | awk -F, 'BEGIN { client = -1 } $10 == client && $1 != "sequence" && $2 != before + 5000000 { bad++ }
	{ client = $10; before = $4 } END { exit bad }' || fail "a client's next I/O is not its completion + think"

# The warm-up is a tag, not a restart.
load --rate 1k --runtime 500ms --warmup 100ms
adds_up warm-up
within "warm-up I/Os" "$(get "r['load']['warmup']['completed']")" 90 100

# Sequential offsets wrap; requests and runtime: the first of both ends it.
load --rw read --bs 16m --rate 100 --requests 6 --runtime 10s --io-log "$work/ios.csv"
adds_up sequential
equal "offsets" "$(sort -n "$work/ios.csv" | awk -F, '$1 != "sequence" { print $5 / 16777216 }' | xargs)" "0 1 2 3 0 1"
within "duration" "$(get "r['load']['duration_ns'] / 1e9")" 0.05 5

# Buffered reads, and a regular file as target.
load --buffered --rate 500 --requests 100
adds_up buffered
"$IOSTRATA" load -f json -o "$work/r.json" --rate 500 --requests 100 "$work/backing"
adds_up file

# Writes, durable ones too, to a device that is blank; then it is not.
load --rw randwrite --write --sync dsync --rate 200 --requests 50
adds_up writes
status 1 load --rw randwrite --write --rate 200 --requests 50 2>/dev/null
load --rw write --write --destroy-data "$device" --rate 200 --requests 50
adds_up "writes with consent"

# Ctrl-C and SIGTERM: an early end, a correct report, the status of what was done.
for signal in INT TERM; do
	"$IOSTRATA" load -f json -o "$work/r.json" --rate 500 --runtime 60s "$device" & pid=$!
	sleep 1
	kill -$signal $pid
	got=0; wait $pid || got=$?
	equal "status after SIG$signal" "$got" 0
	adds_up "SIG$signal"
	equal "interrupted" "$(get "r['run']['interrupted']")" true
	within "planned by then" "$(get "r['load']['counts']['planned']")" 100 2000
done
