#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=6.1-cloud,6.12-cloud,new-cloud clock=counted time=200
# Under the counted clock a whole report is the same, byte for byte, in each
# boot: what one leaves here is compared with another's (after/58-golden.sh).
# Stamps count instructions, so another build of the tool gives other bytes: no
# file of it is kept.
. /case/lib.sh

disk=$(null_blk one irqmode=2 completion_nsec=1000000 submit_queues=1 hw_queue_depth=4 queue_mode=2) ||
	skip "this kernel has no null_blk"
iostrata run --arrival poisson --rate 2k --requests 400 -H -o "$results/run.txt" --io-log "$results/run.csv" "/dev/$disk" ||
	fail "run: status $?"
grep '^Counts' "$results/run.txt"
