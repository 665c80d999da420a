/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Log2 histogram with linear sub-buckets: value to index and back. In: a u64
 * value (ns, bytes, a count). Out: an index whose bucket holds it. Free of
 * libc; the kernel's and user space's histograms share this arithmetic, so
 * they merge by addition.
 *
 * With s sub-bits an octave [2^k, 2^(k+1)) has 2^s equal buckets; values below
 * 2^s have a bucket each. Log2 proper is the exact fold of it (s = 0). A
 * bucket's width is at most 2^-s of its low bound: the relative error.
 */
#ifndef IOSTRATA_BUCKETS_H
#define IOSTRATA_BUCKETS_H

#define IOSTRATA_HIST_BUCKETS(sub_bits) ((65 - (sub_bits)) << (sub_bits))
#define IOSTRATA_KERNEL_SUB_BITS 3
#define IOSTRATA_KERNEL_BUCKETS IOSTRATA_HIST_BUCKETS(IOSTRATA_KERNEL_SUB_BITS)

/* Position of the highest set bit; v must not be 0. */
static inline unsigned int iostrata_log2(unsigned long long v)
{
#ifdef __bpf__
	/* No count-leading-zeros in BPF: halve the range six times. */
	unsigned int r = 0, s;

	s = (v > 0xffffffffull) << 5; v >>= s; r |= s;
	s = (v > 0xffff) << 4; v >>= s; r |= s;
	s = (v > 0xff) << 3; v >>= s; r |= s;
	s = (v > 0xf) << 2; v >>= s; r |= s;
	s = (v > 0x3) << 1; v >>= s; r |= s;
	return r | v >> 1;
#else
	return 63 - (unsigned int)__builtin_clzll(v);
#endif
}

/* Index of v's bucket, in [0, IOSTRATA_HIST_BUCKETS(sub_bits)). */
static inline unsigned int iostrata_hist_index(unsigned long long v, unsigned int sub_bits)
{
	unsigned int msb;

	if (v < 1ull << sub_bits)
		return (unsigned int)v;
	msb = iostrata_log2(v);
	return ((msb - sub_bits) << sub_bits) + (unsigned int)(v >> (msb - sub_bits));
}

/* Lowest value of bucket `index`. */
static inline unsigned long long iostrata_hist_low(unsigned int index, unsigned int sub_bits)
{
	unsigned int octave = index >> sub_bits;

	if (octave <= 1)
		return index;
	return (unsigned long long)((index & ((1u << sub_bits) - 1)) | 1u << sub_bits) << (octave - 1);
}

/* Highest value of bucket `index`. */
static inline unsigned long long iostrata_hist_high(unsigned int index, unsigned int sub_bits)
{
	unsigned int octave = index >> sub_bits;

	return octave <= 1 ? index
			   : iostrata_hist_low(index, sub_bits) + ((1ull << (octave - 1)) - 1);
}

#endif
