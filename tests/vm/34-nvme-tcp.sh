#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=x86 cpus=2 time=90
# An NVMe controller over tcp: layers, transport, async event (lib-nvme.sh).
. /case/lib.sh
. /case/lib-nvme.sh

fabric_case tcp
