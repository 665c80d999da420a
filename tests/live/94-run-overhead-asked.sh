#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The tracer's cost is shown when it was asked for, and not because another
# program has the kernel's BPF statistics on.
. "$(dirname "$0")/lib.sh"
need_bpf
. "$(dirname "$0")/target.sh"
start --service-time 0 --size 64m --quiet
"$IOSTRATA" trace --overhead -d 60s "$loop" >/dev/null 2>&1 &
other=$!
end_other() { kill -INT $other 2>/dev/null || true; }
undo end_other
sleep 0.5
run() { "$IOSTRATA" run --rate 200 --runtime 500ms -f json -o "$work/$1.json" "${@:2}" "$device" || [ $? = 5 ]; }
run not
equal "overhead, not asked for" "$(json "$work/not.json" "'overhead' in r")" false
run asked --overhead
equal "I/Os the cost is told of" "$(json "$work/asked.json" "r['overhead']['ios']")" 100
within "programs' runs" "$(json "$work/asked.json" "sum(p['runs'] for p in r['overhead']['programs'] if p['name'] == 'io_uring_submit_req')")" 100 1000000
