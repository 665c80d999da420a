# SPDX-License-Identifier: GPL-2.0-only
# It says when it can't: an impossible rate, a target that only fails, one that
# does not answer. Every ending is bounded in time.
. "$(dirname "$0")/lib.sh"
need_root

truncate -s 64m "$work/backing"
device=$(losetup -f --show "$work/backing")
free_device() { losetup -d "$device"; }
undo free_device
get() { json "$work/r.json" "$1"; }
adds_up() { equal "sum of counts" "$(get "(lambda c: c['completed'] + c['errors'] + c['timeouts'] + c['in_flight_at_cutoff'] + c['unsubmitted'] - c['planned'])(r['load']['counts'])")" 0; }

# More than any generator can: nobody submits 1000 million a second.
status 5 "$IOSTRATA" load --rate 1000m --runtime 300ms -f json -o "$work/r.json" "$device"
adds_up
equal "planned" "$(get "r['load']['counts']['planned']")" 300000000
equal "sustained" "$(get "r['load']['sustained']")" false
[ "$(get "r['load']['limit']")" != none ] || fail "no limit named"
within "backlog" "$(get "r['load']['backlog']['max']")" 1000000 300000000

# One in flight at most is kept to.
status 5 "$IOSTRATA" load --rate 1m --runtime 300ms --in-flight-cap 1 -f json -o "$work/r.json" "$device"
adds_up
equal "in flight" "$(get "r['load']['in_flight']['max']")" 1
equal "limit" "$(get "r['load']['limit']")" "in-flight cap"

# The device is cut to one block under the load: reads beyond its end get nothing,
# a short transfer, and the run ends early, but not at once.
"$IOSTRATA" load --rate 2k --runtime 60s -f json -o "$work/r.json" "$device" & pid=$!
sleep 1
truncate -s 4096 "$work/backing"
losetup -c "$device"
start=$SECONDS
got=0; wait $pid || got=$?
equal "status when everything fails" "$got" 5
within "seconds to the early end" $((SECONDS - start)) 0 15
adds_up
within "errors" "$(get "r['load']['counts']['errors']")" 16 100000
equal "error kind" "$(get "r['load']['errors'][0]['name']")" ENODATA
get "r['load']['limit_text']" | grep -q "ended early.*ENODATA" || fail "$(get "r['load']['limit_text']")"
