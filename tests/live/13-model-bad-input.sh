#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Bad input to the model: the exit status, one clear cause, nothing on stdout
# and nothing left behind.
. "$(dirname "$0")/lib.sh"
cd "$work"
mkdir here
cd here
# bad WANTED-STATUS TEXT-IN-STDERR OPTION...
bad() {
	wanted=$1 says=$2
	shift 2
	status "$wanted" "$IOSTRATA" model "$@" > ../out 2> ../err
	grep -qF -- "$says" ../err || fail "model $*: '$says' is not in: $(cat ../err)"
	equal "lines that name the cause: model $*" "$(grep -c ^iostrata ../err)" 1
	[ ! -s ../out ] || fail "model $*: printed to stdout: $(head -n 1 ../out)"
	equal "left behind by model $*" "$(ls -A)" ""
}
bad 2 "--rate 0" --rate 0
bad 2 "--rate: must be between" --rate 0.0001
bad 2 "--rate 12abc" --rate 12abc
bad 2 "--rate and --interval" --rate 5 --interval 1ms
bad 2 "--interval 0" --interval 0
bad 2 "--interval 10: not a time" --interval 10
bad 2 "--service 0" --service 0
bad 2 "--service 99999999999999s: too large" --service 99999999999999s
bad 2 "past 1000000000 s of simulated time" --service 999999999s
bad 2 "more than 1000000 requests" --interval 1ns --runtime 2s
bad 2 "more than 1000000 requests" --arrival closed --service 1ns --think 0 --pause 0
bad 2 "--requests 1000001" --requests 1000001
bad 2 "--clients 0" --clients 0
bad 2 "--in-flight-cap 0" --in-flight-cap 0
bad 2 "--pause-at-request 0" --pause-at-request 0
bad 2 "--correct 1ns: adds more than 1000000 samples" --correct 1ns
bad 2 "an open run omits nothing" --arrival open --correct 10ms
bad 2 "--arrival sometimes: must be one of" --arrival sometimes
bad 2 "extra: files are for --pool" extra
bad 2 "name the files" --pool
bad 2 "leave out" --pool -f csv a
bad 2 "leave out" --publish set -f json
bad 1 "nothing: No such file" --pool nothing
bad 1 "/dev/full: No space left on device" -o /dev/full
bad 1 "no/such: No such file or directory" -o no/such
bad 1 "no/such: cannot make the directory" --publish no/such
# A disk that fills up, as far as one can be had without root: 1 KiB fits.
full() { (trap '' XFSZ; ulimit -f 1; "$IOSTRATA" model "$@"); }
status 1 full -f json -o report 2> ../err
grep -q "report: File too large; nothing was kept" ../err || fail "$(cat ../err)"
status 1 full --publish set 2> ../err
equal "left behind by a full disk" "$(ls -A)" ""
status 1 full -f csv -o /dev/full 2> /dev/null
# An old report stays when a new one fails.
echo old > report
status 1 full -f json -o report 2> /dev/null
equal "the old report" "$(cat report)" old
"$IOSTRATA" model > /dev/full 2> ../err && fail "a full stdout went unnoticed"
grep -q "standard output: No space left on device" ../err || fail "$(cat ../err)"
exit 0
