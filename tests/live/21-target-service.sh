#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The service is what was asked: lower bounds are exact, upper ones generous
# (quantiles, as this machine may be shared).
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/target.sh"

reads() { # COUNT DEPTH [fio options]: latencies in ns on stdout
	local count=$1 depth=$2
	shift 2
	fio --name=x --filename="$device" --direct=1 --rw=randread --bs=4k --ioengine=io_uring --norandommap \
		--number_ios="$count" --iodepth="$depth" --write_lat_log="$work/fio" --log_offset=0 "$@" >/dev/null
	cut -d, -f2 "$work"/fio_lat.*.log | tr -d ' '
	rm -f "$work"/fio_*.log
}
quantile() { sort -n | awk -v p="$1" '{ a[NR] = $1 } END { r = int(NR * p); if (r < NR * p) r++; print a[r < 1 ? 1 : r] }'; }
account() { # ends the target
	kill -TERM $target
	status 0 wait $target
	nothing_left 5 "SIGTERM"
}

# One after the other: none below 1 ms, half of them below 2 ms.
start -t 1ms -A "$work/served.csv"
dd if="$device" of=/dev/null bs=4k count=7 iflag=direct status=none # unarmed: not counted
equal "armed at first" "$(state armed)" 0
echo arm >"$control"
reads 300 1 >"$work/latencies"
within "fastest read (ns)" "$(quantile 0 <"$work/latencies")" 1000000 1500000
within "median read (ns)" "$(quantile 0.5 <"$work/latencies")" 1000000 2000000
equal "requests since arming" "$(state requests)" 300
account
equal "rows" "$(column index | wc -l)" 300
equal "indexes" "$(column index | paste -sd' ')" "$(seq 0 299 | paste -sd' ')"
awk -F, 'NR > 1 { if ($6 < $5 || $6 < due || $8 - $6 != 1000000 || $7 < $8) exit 1; due = $8 }' "$work/served.csv" ||
	fail "a turn is not max(arrived, due before) + 1 ms"
late=$(awk -F, 'NR > 1 { print $7 - $8 }' "$work/served.csv")
echo "completed - start - service (ns): p50 $(quantile 0.5 <<<"$late") p99 $(quantile 0.99 <<<"$late")"
within "median lateness (ns)" "$(quantile 0.5 <<<"$late")" 0 50000

# Sixteen at once: each waits for those before it.
start -t 1ms
reads 640 16 | tail -n +17 >"$work/latencies"
within "median of 16 deep (ns)" "$(quantile 0.5 <"$work/latencies")" 15000000 20000000
account

# A queue of 128 is all at the server before the first few are served.
start -t 1ms -A "$work/served.csv"
echo arm >"$control"
reads 400 128 >/dev/null
within "deepest queue" "$(state queued_max)" 120 128
account
within "request 100 arrived so long before its start (ns)" \
	"$(awk -F, '$1 == 100 { print $6 - $5 }' "$work/served.csv")" 60000000 130000000

# The fifth armed read pauses; the probing before does not count.
start -t 1ms -p 100ms -k 5 -A "$work/served.csv"
dd if="$device" of=/dev/null bs=4k count=9 iflag=direct status=none
echo arm >"$control"
reads 10 1 >/dev/null
echo arm >"$control" # counts anew
reads 10 1 >/dev/null
account
equal "turns above 50 ms" "$(awk -F, 'NR > 1 && $8 - $6 > 50000000 { printf "%d/%d ", $9, $1 }' "$work/served.csv")" "1/4 2/4 "
equal "their length" "$(awk -F, '$1 == 4 { print $8 - $6 }' "$work/served.csv" | sort -u)" 101000000

# A pause at a time after arming, one by signal, one by the control file.
start -t 1ms -p 60ms -a 800ms -A "$work/served.csv"
kill -USR1 $target
(sleep 1.3; kill -USR2 $target; sleep 0.4; echo "pause 80ms" >"$control") &
orders=$!
reads 2000 1 >/dev/null
wait $orders
status 1 sh -c "echo PAUSE >$control" 2>/dev/null
account
# Nothing is due for as long as it lasts. The read in service when an order comes is
# still answered, up to its own 1 ms into the pause: then the gap is 60 to 61 ms.
awk -F, 'NR > 2 { print int(($8 - due) / 1e6) } { due = $8 }' "$work/served.csv" | sort -n | tail -n 3 >"$work/gaps"
within "first and second pause (ms)" "$(sed -n 1p "$work/gaps")" 60 79
within "first and second pause (ms)" "$(sed -n 2p "$work/gaps")" 60 79
within "third pause (ms)" "$(sed -n 3p "$work/gaps")" 80 110

# Flushes take their own time; reads do not.
start -t 100us -f 30ms -A "$work/served.csv"
echo arm >"$control"
python3 - "$device" <<'EOF'
import os, sys
fd = os.open(sys.argv[1], os.O_RDWR)
for i in range(5):
    os.pwrite(fd, b"x" * 4096, i * 4096)
    os.fsync(fd)
EOF
reads 5 1 >/dev/null
account
equal "flushes" "$(grep -c ,flush, "$work/served.csv")" 5
equal "time of a flush" "$(awk -F, '$2 == "flush" { print $8 - $6 }' "$work/served.csv" | sort -u)" 30000000
equal "time of others" "$(awk -F, 'NR > 1 && $2 != "flush" { print $8 - $6 }' "$work/served.csv" | sort -u)" 100000

# One request of the block layer is one request here, up to 512k.
start -t 0 -A "$work/served.csv"
echo arm >"$control"
for size in 4k 128k 512k; do dd if=/dev/zero of="$device" bs=$size count=3 oflag=direct status=none; done
account
equal "lengths" "$(awk -F, '$2 == "write" { print $4 }' "$work/served.csv" | uniq -c | awk '{ printf "%dx%d ", $1, $2 }')" \
	"3x4096 3x131072 3x524288 "

# What does not fit the account is counted.
start -t 0 -A "$work/served.csv" -M 10
echo arm >"$control"
reads 25 1 >/dev/null
equal "dropped" "$(state account_dropped)" 15
account
equal "rows kept" "$(column index | wc -l)" 10
