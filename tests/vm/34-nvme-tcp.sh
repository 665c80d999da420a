#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# vm: kernels=6.1,6.12,new cpus=2 time=180
# An NVMe controller over tcp: layers, transport, async event (lib-nvme.sh).
# (Not on 5.10: its nvmet-tcp warns of its own work queues at a connect.)
. /case/lib.sh
. /case/lib-nvme.sh

fabric_case tcp
