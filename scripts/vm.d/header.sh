# SPDX-License-Identifier: GPL-2.0-only
# In: a case. Out: what its lines "# vm: kernels=6.1,6.12 clock=counted cpus=2"
# ask for, in `asked` (docs/vm.md has the words). Sourced. No process is started
# for it, nor for the rest of a guest's command: they would cost as much as the boot.
declare -A asked=()

read_header() { # FILE
	local line word words
	asked=()
	while read -r line; do
		[[ $line == '# vm: '* ]] || continue
		read -ra words <<<"${line#\# vm: }"
		for word in "${words[@]}"; do
			case ${word%%=*} in
			kernels | clock | cpus | memory | devices | append | programs | time) asked[${word%%=*}]=${word#*=} ;;
			*) die "${1##*/}: '$word' in its header is no word of docs/vm.md" 2 ;;
			esac
		done
	done <"$1"
}

# listed WORD: the parts of what was asked for, into `parts`.
listed() { IFS=, read -ra parts <<<"${asked[$1]:-}"; }
