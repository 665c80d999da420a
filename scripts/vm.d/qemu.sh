# SPDX-License-Identifier: GPL-2.0-only
# In: a kernel, an initramfs, what the case's header asks for. Out: the guest
# run to its end or its time limit, and a judgement. Sourced by vm-run.

# A header line of a case: "# vm: kernels=6.1,6.12 clock=counted cpus=2".
case_value() {
	sed -n 's/^# vm: //p' "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | tail -n 1
}

drive() { # ID SIZE [options]: a fresh disk image
	truncate -s "$2" "$work/$1.raw"
	echo -drive "file=$work/$1.raw,format=raw,if=none,id=$1${3:+,$3}"
}

# One word of devices=, as QEMU's arguments.
device() {
	local n
	case $1 in
	nvme) device nvme:1 ;;
	nvme:*)
		echo -device nvme,serial=IOSTRATA-B,id=nvB,max_ioqpairs=2
		for n in $(seq "${1#nvme:}"); do
			drive "nvB$n" 64M
			echo -device "nvme-ns,drive=nvB$n,bus=nvB,nsid=$n"
		done ;;
	nvme-one) # one queue, whatever the CPUs
		drive nv1 64M
		echo -device nvme,serial=IOSTRATA-1,id=nv1c,max_ioqpairs=1 -device nvme-ns,drive=nv1,bus=nv1c,nsid=1 ;;
	nvme-slow) # one I/O a second: what waits longer times out
		drive nvS 64M throttling.iops-total=1
		echo -device nvme,serial=IOSTRATA-S,id=nvS -device nvme-ns,drive=nvS,bus=nvS,nsid=1 ;;
	nvme-multipath)
		echo -device nvme-subsys,id=s0,nqn=s0
		echo -device nvme,serial=IOSTRATA-M,id=nvM1,subsys=s0 -device nvme,serial=IOSTRATA-M,id=nvM2,subsys=s0
		drive nvM 64M
		echo -device nvme-ns,drive=nvM,bus=nvM1,nsid=1,shared=on ;;
	virtio)
		drive vd0 64M
		echo -device virtio-blk-pci,drive=vd0,serial=data ;;
	*) return 1 ;;
	esac
}

machine() {
	local cpus type=(-machine q35) cpu=max seed=,rdrand=off,rdseed=off
	cpus=$(case_value "$case" cpus)
	[ "$arch" = amd64 ] || type=(-machine "virt,gic-version=3") cpu=max,pauth-impdef=on seed=""
	if [ "$(case_value "$case" clock)" = counted ]; then
		echo "${type[@]}" -cpu "$cpu$seed" -accel tcg,thread=single -smp "${cpus:-1}"
		echo -icount shift=0,sleep=off -rtc base=2025-01-01T00:00:00,clock=vm
	else
		echo "${type[@]}" -cpu "$cpu" -accel tcg,thread=multi -smp "${cpus:-2}"
	fi
}

command_line() {
	local line="quiet panic=-1 mitigations=off"
	[ "$arch" = arm64 ] && line="console=ttyAMA0 $line" || line="console=ttyS0 tsc=reliable $line"
	[ "$(case_value "$case" clock)" != counted ] || line="$line nokaslr random.trust_cpu=off"
	echo "$line $(case_value "$case" append | tr ',' ' ')"
}

# The unpacked QEMU, by its own loader and libraries.
qemu_command() {
	local triplet=x86_64-linux-gnu program=qemu-system-x86_64 loader word
	[ "$(dpkg --print-architecture)" = amd64 ] || triplet=$(gcc -print-multiarch)
	[ "$arch" != arm64 ] || program=qemu-system-aarch64
	loader=$(ls "$qemu"/usr/lib64/ld-linux-*.so.* "$qemu/usr/lib/$triplet"/ld-linux-*.so.* 2>/dev/null | head -n 1)
	export QEMU_MODULE_DIR=$qemu/usr/lib/$triplet/qemu
	set -- "$loader" --library-path "$qemu/usr/lib/$triplet:$qemu/usr/lib" "$qemu/usr/bin/$program" \
		-L "$qemu/usr/share/qemu" -L "$qemu/usr/share/seabios" -L "$qemu/usr/lib/ipxe/qemu" \
		-nodefaults -no-user-config -display none -no-reboot -serial stdio -monitor none
	# shellcheck disable=SC2046  # lists of words
	set -- "$@" $(machine) -m "$(case_value "$case" memory | grep . || echo 512)" \
		-kernel "$image/kernel" -initrd "$work/initramfs"
	[ "$arch" = arm64 ] || set -- "$@" -device isa-debug-exit,iobase=0xf4,iosize=4
	for word in $(case_value "$case" devices | tr ',' ' '); do
		# shellcheck disable=SC2046
		set -- "$@" $(device "$word")
	done
	set -- "$@" -drive "file=$work/results.raw,format=raw,if=none,id=results" \
		-device virtio-blk-pci,drive=results,serial=results -append "$(command_line)"
	printf '%q ' "$@" >"$work/command"
	exec "$@" </dev/null >"$work/log" 2>&1
}

known_devices() {
	local word
	for word in $(case_value "$case" devices | tr ',' ' '); do
		device "$word" >/dev/null || die "$(basename "$case"): no device '$word'; docs/vm.md has them" 2
	done
}

# Runs the guest; sets $ended to how it ended: exit, or time. The case's limit
# counts from the guest's first line: until then it is the machine that is slow.
boot_limit_s=90
case_limit_s() { case_value "$case" time | grep . || echo 120; }
boot() {
	local pid deadline began=""
	: >"$work/log"
	(qemu_command) &
	pid=$! pids=$!
	if [ -n "$console" ]; then
		tail -f --pid=$pid "$work/log" &
		pids="$pid $!"
	fi
	deadline=$((SECONDS + boot_limit_s)) ended=time
	while [ $SECONDS -lt $deadline ]; do
		kill -0 $pid 2>/dev/null || { ended=exit; break; }
		sleep 0.1
		[ -n "$began" ] || ! grep -q '^@@BEGIN' "$work/log" ||
			began=1 deadline=$((SECONDS + $(case_limit_s)))
	done
	[ $ended = exit ] || kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
	pids=""
}

# A guest that never reached its first line (QEMU could not start it, or the
# machine stood still) gets a second chance; one that did does not.
boot_and_wait() {
	boot
	grep -q '^@@BEGIN' "$work/log" || boot
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
		fault "the guest hung (limit $(case_limit_s) s)"
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
