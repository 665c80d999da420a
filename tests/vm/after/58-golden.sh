#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# On the host: 58-golden.sh RESULTS. Boots the same case once more, and compares
# the text of the report and every I/O's stamps.
set -eu
[ -z "${GOLDEN_AGAIN:-}" ] || exit 0
top=$(cd "$(dirname "$0")/../../.." && pwd)
again=$(mktemp -d "${TMPDIR:-/tmp}/iostrata-golden.XXXXXX")
trap 'rm -rf "$again"' EXIT
GOLDEN_AGAIN=1 "$top/scripts/vm-run" --results "$again" "$KERNEL" 58-golden >/dev/null
for file in run.txt run.csv; do
	[ -s "$1/$file" ] || { echo "FAIL: no $file"; exit 1; }
	cmp "$1/$file" "$again/$file" || { diff "$1/$file" "$again/$file" | head -n 10; echo "FAIL: $file differs"; exit 1; }
	echo "$file: $(wc -c <"$1/$file") bytes, the same in both boots"
done
