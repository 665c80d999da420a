#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=all
# The kernel's BTF is brought back: after/13-types.sh holds vmlinux.h against it.
. /case/lib.sh
cp /sys/kernel/btf/vmlinux "$results/vmlinux.btf"
echo "$(stat -c %s "$results/vmlinux.btf") bytes of BTF"
