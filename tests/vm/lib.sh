# SPDX-License-Identifier: GPL-2.0-only
# Sourced by every VM case, inside the guest: words to judge with, and devices
# with a known service time. A case ends with 0 (passed), 77 (skipped, its
# reason printed) or otherwise (failed). The guest is thrown away: nothing
# needs undoing.
set -eu
results=/results

fail() { echo "FAIL: $*"; exit 1; }
skip() { echo "SKIP: $*"; exit 77; }
# equal WHAT GOT WANTED · within WHAT GOT LOW HIGH (numbers): they print what they saw.
equal() { [ "$2" = "$3" ] || fail "$1: got $2, wanted $3"; echo "$1: $2"; }
within() {
	awk -v x="$2" -v l="$3" -v h="$4" 'BEGIN { exit !(x != "" && x + 0 >= l + 0 && x + 0 <= h + 0) }' ||
		fail "$1: got $2, wanted $3 to $4"
	echo "$1: $2 ($3 to $4)"
}
# status WANTED COMMAND…: runs it, wants that exit status.
status() { local wanted=$1 got=0; shift; "$@" || got=$?; equal "exit status of: $*" "$got" "$wanted"; }
# json FILE FILTER: jq's raw answer.
json() { jq -r "$2" "$1"; }
# layer FILE NAME FIELD: of one layer's DIST, or of its row; 0 without such a layer.
layer() {
	jq -r --arg name "$2" --arg field "$3" \
		'[.layers[] | select(.layer == $name) | if .dist | has($field) then .dist[$field] else .[$field] end][0] // 0' "$1"
}

need() { # MODULE [parameters]: built in or loaded, else the case is skipped
	[ ! -e "/sys/module/${1//-/_}" ] || [ $# -gt 1 ] || return 0
	modprobe "$@" 2>/dev/null || skip "this kernel has no module $1"
}
release() { uname -r; }
# at_least 6 1: whether the kernel is this new. For what a *device* needs; what
# the tool does is never asked of a version.
at_least() {
	local major minor
	IFS=.-+ read -r major minor _ < <(uname -r)
	[ "$major" -gt "$1" ] || { [ "$major" -eq "$1" ] && [ "$minor" -ge "$2" ]; }
}
wait_for() { # FILE: until it is there, 5 s at most
	local i
	for i in $(seq 100); do [ -e "$1" ] && return; sleep 0.05; done
	fail "no $1 after 5 s"
}

# attached N: until the trace in the background has N programs attached and has
# given up its privileges, which it does last, and a little longer, for the gate
# opens then. 60 s at most.
attached() {
	local i pid=${trace:-$!}
	for i in $(seq 600); do
		[ "$(ls -l "/proc/$pid/fd" 2>/dev/null | grep -c 'bpf_link\|raw-tracepoint\|perf_event')" -ge "$1" ] &&
			grep -q '^NoNewPrivs:.*1' "/proc/$pid/status" && { sleep 0.3; return; }
		sleep 0.1
	done
	fail "nothing attached after 60 s"
}

# null_blk NAME key=value…: a configfs null_blk device /dev/NAME (size in MiB,
# irqmode 2 and completion_nsec for a timer, submit_queues, hw_queue_depth,
# memory_backed…). Prints its name: 5.10 calls it nullbN whatever is asked.
null_blk() {
	local at=/sys/kernel/config/nullb/$1 pair
	[ -d /sys/module/null_blk ] || modprobe null_blk nr_devices=0 || return 1
	mkdir "$at"
	for pair in "${@:2}"; do echo "${pair#*=}" >"$at/${pair%%=*}" || return 1; done
	echo 1 >"$at/power"
	[ -b "/dev/$1" ] && echo "$1" || echo "nullb$(cat "$at/index")"
}
# scsi_debug key=value…: prints the disk's name (sda).
scsi_debug() {
	local i path
	modprobe sd_mod && modprobe scsi_debug "$@" || return 1
	for i in $(seq 100); do
		for path in /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block/*; do
			[ -e "$path" ] && echo "${path##*/}" && return
		done
		sleep 0.05
	done
	return 1
}
sectors() { cat "/sys/block/$1/size"; }
# dm NAME TARGET [arguments behind "start length TARGET"]: /dev/dm-N by name.
dm() { # NAME DISK TABLE, in which DISK's size is filled in for LEN
	modprobe dm-mod
	echo "${3//LEN/$(sectors "$2")}" | dmsetup create --noudevsync "$1" && dmsetup mknodes "$1" && dmsetup info -c --noheadings -o blkdevname "$1"
}
dm_delay() { modprobe dm-delay; dm "$1" "$2" "0 LEN delay /dev/$2 0 $3"; } # NAME DISK MS

# nvmet_port TRANSPORT DISK: exports /dev/DISK as namespace 1 over loop or tcp,
# connects, and prints the new disk's name.
nvmet_port() {
	local root=/sys/kernel/config/nvmet nqn=iostrata-$1 port
	port=$root/ports/$([ "$1" = tcp ] && echo 2 || echo 1)
	modprobe nvmet && modprobe "nvme-$1" || return 1
	[ "$1" != tcp ] || modprobe nvmet-tcp || return 1
	mkdir -p "$root/subsystems/$nqn/namespaces/1" "$port"
	echo 1 >"$root/subsystems/$nqn/attr_allow_any_host"
	echo "/dev/$2" >"$root/subsystems/$nqn/namespaces/1/device_path"
	echo 1 >"$root/subsystems/$nqn/namespaces/1/enable"
	echo "$1" >"$port/addr_trtype"
	if [ "$1" = tcp ]; then
		echo ipv4 >"$port/addr_adrfam"
		echo 127.0.0.1 >"$port/addr_traddr"
		echo 4420 >"$port/addr_trsvcid"
	fi
	ln -s "$root/subsystems/$nqn" "$port/subsystems/$nqn"
	wait_for /dev/nvme-fabrics
	if [ "$1" = tcp ]; then
		echo "transport=tcp,traddr=127.0.0.1,trsvcid=4420,nqn=$nqn,hostnqn=nqn.2014-08.org.nvmexpress:uuid:0f01fb42-9f7f-4856-b0b3-51e60b8de349,hostid=0f01fb42-9f7f-4856-b0b3-51e60b8de349" >/dev/nvme-fabrics
	else
		echo "transport=loop,nqn=$nqn,hostnqn=nqn.2014-08.org.nvmexpress:uuid:0f01fb42-9f7f-4856-b0b3-51e60b8de349,hostid=0f01fb42-9f7f-4856-b0b3-51e60b8de349" >/dev/nvme-fabrics
	fi
	nvme_disk "$nqn"
}
# nvme_disk NQN|SERIAL [NSID]: the disk people see of that subsystem.
nvme_disk() {
	local i path
	for i in $(seq 100); do
		for path in /sys/class/nvme/nvme*; do
			[ -e "$path/subsysnqn" ] || continue
			grep -q "$1" "$path/subsysnqn" "$path/serial" 2>/dev/null || continue
			for disk in /sys/block/nvme*n"${2:-1}"; do
				[ -e "$disk/device" ] && [ -e "$disk/dev" ] || continue # no hidden path
				[ "$(readlink -f "$disk/device")" = "$(readlink -f "$path")" ] ||
					grep -q "$1" "$disk/device/subsysnqn" "$disk/device/serial" 2>/dev/null || continue
				echo "${disk##*/}"
				return
			done
		done
		sleep 0.05
	done
	return 1
}
