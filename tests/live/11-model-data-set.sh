#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A1's data set: 390 rows, unique keys, sums that sha256sum accepts, the same
# bytes from two runs but for the time in the metadata.
. "$(dirname "$0")/lib.sh"
"$IOSTRATA" model --publish "$work/one"
sleep 1.1
"$IOSTRATA" model --publish "$work/two"
for set in one two; do
	(cd "$work/$set" && sha256sum --quiet --strict -c SHA256SUMS) || fail "$set: sums are not accepted"
	equal "files summed in $set" "$(wc -l < "$work/$set/SHA256SUMS")" 2
	equal "files in $set" "$(ls -A "$work/$set" | wc -l)" 3
done
cmp "$work/one/responses.csv" "$work/two/responses.csv" || fail "two runs give different rows"
cmp -s "$work/one/metadata.json" "$work/two/metadata.json" && fail "the metadata holds no time"
masked() { sed -E 's/("(created|version)": )"[^"]*"/\1""/' "$1"; }
cmp <(masked "$work/one/metadata.json") <(masked "$work/two/metadata.json") ||
	fail "the metadata differs in more than time and version"
csv=$work/one/responses.csv
equal heading "$(head -n 1 "$csv")" mode,index,arrivalMs,startMs,completedMs,queueMs,responseMs
equal rows "$(tail -n +2 "$csv" | wc -l)" 390
equal "unique keys" "$(tail -n +2 "$csv" | cut -d, -f1,2 | sort -u | wc -l)" 390
equal "open rows" "$(grep -c ^open, "$csv")" 200
equal "rows that do not add up" "$(awk -F, 'NR > 1 && ($4 - $3 != $6 || $5 - $3 != $7)' "$csv" | wc -l)" 0
equal "first responses" "$(grep ^open, "$csv" | head -n 15 | cut -d, -f7 | paste -sd' ')" \
	"101 92 83 74 65 56 47 38 29 20 11 2 1 1 1"
equal "second closed arrival" "$(grep ^closed,1, "$csv" | cut -d, -f3)" 110
equal "rows in the metadata" "$(json "$work/one/metadata.json" "r['responses']['rows']")" 390
equal "sum in the metadata" "$(json "$work/one/metadata.json" "r['responses']['sha256']")" \
	"$(sha256sum < "$csv" | cut -d' ' -f1)"
# A changed byte must show.
sed -i '2s/101/102/' "$csv"
(cd "$work/one" && sha256sum --status -c SHA256SUMS) && fail "a changed row is not noticed"
exit 0
