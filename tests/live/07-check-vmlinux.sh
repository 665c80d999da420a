# SPDX-License-Identifier: GPL-2.0-only
# scripts/check-vmlinux finds each kind of mismatch, and none where there is none.
. "$(dirname "$0")/lib.sh"
script=$(cd "$(dirname "$0")/../.." && pwd)/scripts/check-vmlinux
[ -r /sys/kernel/btf/vmlinux ] || skip "no BTF of this kernel"

# One dump serves all the headers below: each is a few types.
good='typedef unsigned int u32; typedef unsigned long long u64;
struct gendisk { int major; int first_minor; };
struct request { unsigned int __data_len; struct bio *bio; void *end_io; u64 start_time_ns; };
struct request___other_kernel { struct gendisk *no_such_field; };
struct no_such_struct___elsewhere { int x; };
struct iomap_dio { struct kiocb *iocb; };
enum req_op { REQ_OP_READ = 0, REQ_OP_FLUSH = 2 };
enum our_own_name { BPF_MAP_TYPE_HASH = 1 };
enum { false = 0, true };'
printf '%s\n' "$good" >"$work/good.h"
status 0 "$script" "$work/good.h" >"$work/out" 2>&1
grep -q ' 0 mismatches, 2 flavours' "$work/out" || fail "$(cat "$work/out")"

# A field that may be elsewhere: it is, or it is nowhere.
cat >"$work/else.h" <<'END'
#define ELSE(flavour) __attribute__((btf_decl_tag("else " #flavour)))
struct gendisk___other_name { int first_minor; };
struct gendisk___nowhere { int no_such_field; };
struct gendisk { int minor ELSE(gendisk___other_name); int before ELSE(gendisk___nowhere); };
struct no_such_struct { int major ELSE(gendisk___other_name); };
END
status 1 "$script" "$work/else.h" >"$work/out" 2>&1
grep -q 'gendisk.before: no such field in the kernel, and no gendisk___nowhere' "$work/out" || fail "$(cat "$work/out")"
grep -q ' 1 mismatches, 1 flavours' "$work/out" || fail "$(cat "$work/out")"

cat >"$work/bad.h" <<'END'
typedef unsigned short u32;
struct no_such_struct { int x; };
struct gendisk { int no_such_field; long major; unsigned int first_minor; };
struct request { struct request *bio; int q; int start_time_ns; };
struct bio { unsigned int bi_iter; };
enum req_op { REQ_OP_FLUSH = 3, REQ_OP_NO_SUCH = 1 };
enum our_own_name { BPF_MAP_TYPE_HASH = 7, NO_SUCH_ENUMERATOR = 1 };
enum { true = 2, ANONYMOUS };
END
status 1 "$script" "$work/bad.h" >"$work/out" 2>&1
for words in 'typedef u32: is' 'struct no_such_struct: no such type' 'gendisk.no_such_field: no such field' \
	'gendisk.major: is `long`' 'gendisk.first_minor: is `unsigned int`' \
	'request.bio: is `struct request \*` here, `struct bio \*` in the kernel' 'request.q: is `int`' \
	'request.start_time_ns: is `int`' 'bio.bi_iter: is `unsigned int`' 'REQ_OP_FLUSH is 3 here, 2 in' \
	'REQ_OP_NO_SUCH: no such enumerator' 'BPF_MAP_TYPE_HASH is 7 here, 1 in' \
	'NO_SUCH_ENUMERATOR: no such' 'enum anonymous: true is 2 here, 1 in' 'anonymous: ANONYMOUS: no such'; do
	equal "lines saying '$words'" "$(grep -c "$words" "$work/out")" 1
done
grep -q ' 15 mismatches' "$work/out" || fail "$(tail -n 1 "$work/out")"

# No BTF: skipped aloud. No header, one that does not compile, an empty one: errors.
status 0 "$script" "$work/good.h" "$work/no-btf" >"$work/out"
grep -q '^SKIPPED' "$work/out" || fail "silent without BTF"
status 2 "$script" "$work/none.h" 2>"$work/err"
echo 'struct {' >"$work/broken.h"
status 2 "$script" "$work/broken.h" 2>"$work/err"
: >"$work/empty.h"
status 2 "$script" "$work/empty.h" 2>"$work/err"
grep -q 'defines no type' "$work/err" || fail "$(cat "$work/err")"
