# SPDX-License-Identifier: GPL-2.0-only
# In: a kernel, an initramfs, what the case's header asks for. Out: the guest
# run to its end or its time limit, and a judgement. Sourced by vm-run.

drive() { # ID [options]: a fresh disk image
	truncate -s 64M "$work/$1.raw"
	args+=(-drive "file=$work/$1.raw,format=raw,if=none,id=$1${2:+,$2}")
}
with() { # DEVICE…
	local word
	for word in "$@"; do args+=(-device "$word"); done
}

nvme() { # NAMESPACES: a PCI controller, two queues
	local n
	with nvme,serial=IOSTRATA-B,id=nvB,max_ioqpairs=2
	for ((n = 1; n <= $1; n++)); do
		drive "nvB$n"
		with "nvme-ns,drive=nvB$n,bus=nvB,nsid=$n"
	done
}
nvme_one() { # one queue, whatever the CPUs
	drive nv1
	with nvme,serial=IOSTRATA-1,id=nv1c,max_ioqpairs=1 nvme-ns,drive=nv1,bus=nv1c,nsid=1
}
nvme_slow() { # one I/O a second: what waits longer times out
	drive nvS throttling.iops-total=1
	with nvme,serial=IOSTRATA-S,id=nvS nvme-ns,drive=nvS,bus=nvS,nsid=1
}
nvme_multipath() {
	with nvme-subsys,id=s0,nqn=s0 nvme,serial=IOSTRATA-M,id=nvM1,subsys=s0 nvme,serial=IOSTRATA-M,id=nvM2,subsys=s0
	drive nvM
	with nvme-ns,drive=nvM,bus=nvM1,nsid=1,shared=on
}
virtio() {
	drive vd0
	with virtio-blk-pci,drive=vd0,serial=data
}

devices() {
	local word parts
	listed devices
	for word in "${parts[@]}"; do
		case $word in
		nvme | nvme:[1-9]) [ "$word" = nvme ] && nvme 1 || nvme "${word#nvme:}" ;;
		nvme-one) nvme_one ;;
		nvme-slow) nvme_slow ;;
		nvme-multipath) nvme_multipath ;;
		virtio) virtio ;;
		*) die "${case##*/}: no device '$word'; docs/vm.md has them" 2 ;;
		esac
	done
}

machine() {
	local type=q35 cpu=max seed=,rdrand=off,rdseed=off cpus=${asked[cpus]:-}
	[ "$arch" = amd64 ] || type=virt,gic-version=3 cpu=max,pauth-impdef=on seed=""
	case ${asked[clock]:-plain} in
	counted)
		args+=(-cpu "$cpu$seed" -accel "tcg,thread=single" -smp "${cpus:-1}")
		args+=(-icount "shift=0,sleep=off" -rtc "base=2025-01-01T00:00:00,clock=vm") ;;
	plain) args+=(-cpu "$cpu" -accel "tcg,thread=multi" -smp "${cpus:-2}") ;;
	*) die "${case##*/}: no clock '${asked[clock]}'; plain or counted" 2 ;;
	esac
	args+=(-machine "$type" -m "${asked[memory]:-512}" -kernel "$image/kernel" -initrd "$work/initramfs")
	[ "$arch" = arm64 ] || with isa-debug-exit,iobase=0xf4,iosize=4
}

command_line() {
	local line="quiet panic=-1 mitigations=off" parts
	[ "$arch" = arm64 ] && line="console=ttyAMA0 $line" || line="console=ttyS0 tsc=reliable $line"
	[ "${asked[clock]:-}" != counted ] || line="$line nokaslr random.trust_cpu=off"
	listed append
	args+=(-append "$line ${parts[*]}")
}

# Into `args`: the unpacked QEMU, by its own loader and libraries, and the guest.
qemu_command() {
	local triplet=x86_64-linux-gnu program=qemu-system-x86_64 loader
	[ "$(dpkg --print-architecture)" = amd64 ] || triplet=$(gcc -print-multiarch)
	[ "$arch" != arm64 ] || program=qemu-system-aarch64
	for loader in "$qemu"/usr/lib64/ld-linux-*.so.* "$qemu/usr/lib/$triplet"/ld-linux-*.so.*; do
		[ ! -e "$loader" ] || break
	done
	export QEMU_MODULE_DIR=$qemu/usr/lib/$triplet/qemu
	args=("$loader" --library-path "$qemu/usr/lib/$triplet:$qemu/usr/lib" "$qemu/usr/bin/$program"
		-L "$qemu/usr/share/qemu" -L "$qemu/usr/share/seabios" -L "$qemu/usr/lib/ipxe/qemu"
		-nodefaults -no-user-config -display none -no-reboot -serial stdio -monitor none)
	machine
	devices
	drive results
	with virtio-blk-pci,drive=results,serial=results
	command_line
	printf '%q ' "${args[@]}" >"$work/command"
}

# Runs the guest; sets $ended to how it ended: exit, or time. The case's limit
# counts from the guest's first line: until then it is the machine that is slow.
# QEMU holds the other end of a pipe, which so says when it has ended.
boot_limit_s=90
boot() {
	local pid deadline=$((SECONDS + boot_limit_s)) began="" got
	: >"$work/log"
	[ -p "$work/alive" ] || mkfifo "$work/alive"
	(exec 7>"$work/alive" "${args[@]}" </dev/null >"$work/log" 2>&1) &
	pid=$! pids=$! ended=time
	exec 8<"$work/alive"
	if [ -n "$console" ]; then
		tail -f --pid=$pid "$work/log" &
		pids="$pid $!"
	fi
	while [ $SECONDS -lt $deadline ]; do
		got=0
		read -r -t 0.3 -u 8 || got=$?
		[ $got -gt 128 ] || { ended=exit; break; }
		[ -n "$began" ] || ! began || began=1 deadline=$((SECONDS + ${asked[time]:-120}))
	done
	exec 8<&-
	[ $ended = exit ] || kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
	pids=""
}
began() {
	local lines
	mapfile lines <"$work/log"
	[[ ${lines[*]} == *@@BEGIN* ]]
}

# A guest that never reached its first line (QEMU could not start it, or the
# machine stood still) gets a second chance; one that did does not.
boot_and_wait() {
	boot
	began || boot
}

# What a kernel says when it is not well.
unwell='WARNING:|BUG:|Oops|rcu.*stall|hung_task|blocked for more than|Kernel panic|Call Trace'

fault() { # TEXT: one line, and the guest's log kept
	local kept
	kept=$cache/logs/$kernel-$(basename "$case" .sh).log
	mkdir -p "$cache/logs"
	tr -d '\r' <"$work/log" >"$kept"
	echo "$me: $kernel, $(basename "$case" .sh): $1; its log: $kept" >&2
	exit 1
}

judge() {
	local status log=$work/clean
	tr -d '\r' <"$work/log" >"$log"
	[ -n "$console" ] || sed -n '/^@@BEGIN/,/^@@END/p' "$log" | sed 's/^@@BEGIN/kernel/; /^@@END/d'
	mkdir -p "$work/results"
	tar xf "$work/results.raw" -C "$work/results" 2>/dev/null
	[ -z "$results" ] || { mkdir -p "$results" && cp -r "$work/results/." "$results/"; }
	grep -q '^@@BEGIN' "$log" || fault "the guest never started: $(tail -n 1 "$log")"
	status=$(sed -n 's/^@@END \([0-9]*\).*/\1/p' "$log" | tail -n 1)
	if [ -z "$status" ]; then
		[ "$ended" = exit ] && fault "the guest died: $(grep -aE "$unwell" "$log" | head -n 1)"
		fault "the guest hung (limit ${asked[time]:-120} s)"
	fi
	grep -haE "$unwell" "$log" "$work/results/dmesg" >"$work/unwell" 2>/dev/null &&
		fault "the guest's kernel complained: $(head -n 1 "$work/unwell")"
	[ "$status" = 0 ] || exit "$status"
	after
}

# What a case has to judge on the host, where its compiler and tools are.
after() {
	local script
	script=$top/tests/vm/after/$(basename "$case")
	[ ! -f "$script" ] || ARCH=${arch/amd64/x86} KERNEL=$kernel bash "$script" "$work/results"
	exit $?
}
