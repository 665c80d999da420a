#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# scripts/check-docs finds each kind of breach, at its line, and nothing else.
. "$(dirname "$0")/lib.sh"
tree=$(cd "$(dirname "$0")/../.." && pwd)
mkdir "$work/tree"
cd "$work/tree"
ln -s "$tree"/{bpf,scripts,tests,user,vmlinux,Makefile,LICENSE} .
cp -r "$tree"/{README.md,CONTRIBUTING.md,docs} .
check() { "$tree/scripts/check-docs" "$work/tree" "$IOSTRATA"; }
status 0 check >"$work/clean" || fail "$(cat "$work/clean")"

lines=$(wc -l <CONTRIBUTING.md)
cat >>CONTRIBUTING.md <<'END'
`iostrata load --no-such TARGET` and `trace --rate` and `--nowhere`
The layer `fs+nothing`; time from allocated → nowhere; `issued → gone`
[a page](docs/none.md) [a section](docs/layers.md#no-such-thing) `user/base/none.c`
    iostrata trace -d 10s --clients 3
END
sed -i 's/^| `model` |/| `modell` |/; s/^make test /make tests /' README.md
echo "# An orphan" >docs/orphan.md
cat >"$work/wanted" <<END
README.md:1: its table lacks the command model
README.md:1: no link to docs/orphan.md
README.md:1: make tests: no such target
CONTRIBUTING.md:$((lines + 3)): docs/none.md: no such file
CONTRIBUTING.md:$((lines + 3)): docs/layers.md#no-such-thing: no such section
CONTRIBUTING.md:$((lines + 1)): iostrata load has no option --no-such
CONTRIBUTING.md:$((lines + 1)): \`trace --rate\`: iostrata trace has no option --rate
CONTRIBUTING.md:$((lines + 1)): \`--nowhere\`: no command has --nowhere
CONTRIBUTING.md:$((lines + 2)): \`fs+nothing\`: no layer nothing
CONTRIBUTING.md:$((lines + 2)): \`issued → gone\`: no boundary gone
CONTRIBUTING.md:$((lines + 2)): allocated → nowhere: no boundary nowhere
CONTRIBUTING.md:$((lines + 3)): docs/none.md: no such file
CONTRIBUTING.md:$((lines + 3)): user/base/none.c: no such file
CONTRIBUTING.md:$((lines + 4)): iostrata trace has no option --clients
END
status 1 check | grep -v '^check-docs:' >"$work/got"
diff -u "$work/wanted" "$work/got" || fail "the breaches found are not those made"
