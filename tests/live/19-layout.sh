#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# scripts/check-layout finds each kind of breach, at its line, and nothing else.
. "$(dirname "$0")/lib.sh"
check=$(cd "$(dirname "$0")/../.." && pwd)/scripts/check-layout
spdx='// SPDX-License-Identifier: GPL-2.0-only'
tree=$work/tree
mkdir -p "$tree"/user/{stat,load,report,newroom} "$tree/bpf"
body() { for ((i = 0; i < $1; i++)); do echo '	x++;'; done; }
{
	echo "$spdx"
	echo '#include "base/why.h"'
	echo '#include "report/report.h"'
	echo '#include <liburing.h>'
	echo '/* fopen( in a comment, */ static const char *a = "open( in a string {";'
	echo 'static int tick(int x) { return clock_gettime(0, 0) + x; }'
	echo 'int reopen(int x) { return x; }'
} > "$tree/user/stat/a.c"
{ echo "$spdx"; echo '#include <bpf/libbpf.h>'; echo 'int fits(int x)'; echo '{'; body 57; echo '}'
	echo 'int too_long(int x)'; echo '{'; body 58; printf '}'; } > "$tree/user/load/b.c"
{ echo "$spdx"; echo 'struct s { int x; } __attribute__((packed));'; body 448; echo 'int x;	 '; } > "$tree/user/report/c.h"
echo 'int x;' > "$tree/user/newroom/d.c"
{ echo "$spdx"; echo 'SEC("tp_btf/x")'; echo 'int BPF_PROG(on_x, int x)'; echo '{'; body 60; echo '}'; } > "$tree/bpf/e.bpf.c"
cat > "$work/wanted" <<'END'
bpf/e.bpf.c:3: BPF_PROG() has 63 lines; at most 60
user/load/b.c:2: bpf/libbpf.h: only user/kernel and user/probe may include bpf and libbpf
user/load/b.c:63: too_long() has 61 lines; at most 60
user/load/b.c:123: no newline at the end of the file
user/newroom/d.c:1: no SPDX-License-Identifier: line among the first three
user/newroom/d.c:1: user/newroom: unknown folder; say in scripts/check-layout what it may include
user/report/c.h:451: 451 lines in a file; at most 450, one idea each
user/report/c.h:451: blank at the end of the line
user/stat/a.c:3: user/stat must not include report/report.h: it may see base
user/stat/a.c:4: liburing.h: only user/load and user/probe may include liburing
user/stat/a.c:6: clock_gettime: user/stat is pure: no I/O, no clock
check-layout: 5 files, 11 breaches
END
status 1 "$check" "$tree" > "$work/got"
diff -u "$work/wanted" "$work/got" || fail "the breaches found are not those made"
rm -r "$tree"/user/* "$tree/bpf/e.bpf.c"
echo "$spdx" > "$tree/user/main.c"
status 0 "$check" "$tree" > /dev/null
