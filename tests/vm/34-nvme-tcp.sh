#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=5.10-cloud,6.1,6.12,new cpus=2 time=180
# An NVMe controller over tcp: layers, transport, async event (lib-nvme.sh).
. /case/lib.sh
. /case/lib-nvme.sh

fabric_case tcp
