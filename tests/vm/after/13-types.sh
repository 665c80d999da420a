#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# On the host, with what the guest left: 13-types.sh RESULTS.
set -eu
top=$(cd "$(dirname "$0")/../../.." && pwd)
"$top/scripts/check-vmlinux" "$top/vmlinux/vmlinux.h" "$1/vmlinux.btf"
