#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=6.12-cloud,new-cloud cpus=2 time=180
# An NVMe controller over loop: layers, transport, async event (lib-nvme.sh).
. /case/lib.sh
. /case/lib-nvme.sh

fabric_case loop
