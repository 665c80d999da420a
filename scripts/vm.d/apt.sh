# SPDX-License-Identifier: GPL-2.0-only
# Debian packages of any suite and architecture, unpacked and never installed.
# In: suites, an architecture, package names. Out: folders in the cache. Sourced.
#
# apt runs with lists, state and cache of its own; the mirror and its keys are
# those of the machine's own sources. apt checks every signature and checksum.

cache=${IOSTRATA_VM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/iostrata/vm}
lists_max_age_min=1440

die() { echo "$me: $1" >&2; exit "${2:-1}"; }

# The cache for ourselves: one fetches, others wait. What someone who was ended
# left half done is removed, at our own end too.
lock_cache() {
	mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ] || die "cannot write to the cache $cache; set IOSTRATA_VM_CACHE"
	exec 9>"$cache/lock"
	flock 9
	sweep_cache
	trap sweep_cache EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
}
sweep_cache() { rm -rf "$cache"/*.half* "$cache"/*/*.half*; }
unlock_cache() {
	trap - EXIT
	exec 9>&-
}

# URI of the machine's Debian archive; $1: "" or "-security".
mirror() {
	apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
		awk -v suite="$(codename)$1" '$1 == suite { print $2; exit }'
}
codename() { (. /etc/os-release && echo "${VERSION_CODENAME:-}"); }

# How the machine reaches its mirror: proxies, certificates, clocks. The rest of
# its configuration (hooks, no caches in a container's) is not for us.
machine_acquire() { apt-config dump | grep -E '^Acquire::(http|https|Proxy|Check|ForceIPv|AllowWeak)[^ ]* "[^"]+";'; }

# Writes a private apt configuration for suites $1 (a,b) and architecture $2
# and sets APT_CONFIG; refreshes its lists once a day. $3: a dpkg status file,
# for what is installed need not be fetched (default: nothing is).
private_apt() {
	local home="$cache/apt/$2-$1${3:+-here}" suite kind uri
	local keys=/usr/share/keyrings/debian-archive-keyring.gpg
	unset APT_CONFIG
	[ -n "$(mirror "")" ] || { echo "$me: no Debian archive in apt's sources to fetch kernels from" >&2; return 1; }
	mkdir -p "$home/lists/partial" "$home/archives/partial" || return 1
	[ -e "$home/status" ] || : >"$home/status"
	for suite in ${1//,/ }; do
		kind=""
		[ "${suite%-security}" = "$suite" ] || kind=-security
		uri=$(mirror "$kind")
		[ -n "$uri" ] || uri=$(mirror "" | sed 's,/debian/*$,/debian-security,')
		echo "deb [arch=$2 signed-by=$keys] $uri $suite main"
	done >"$home/sources.list"
	cat >"$home/apt.conf" <<-CONF
		Dir::Etc::SourceList "$home/sources.list";
		Dir::Etc::SourceParts "/dev/null";
		Dir::Etc::Preferences "/dev/null";
		Dir::Etc::PreferencesParts "/dev/null";
		Dir::State "$home";
		Dir::State::Lists "$home/lists";
		Dir::State::status "${3:-$home/status}";
		Dir::Cache "$home";
		Dir::Cache::Archives "$home/archives";
		APT::Architecture "$2";
		APT::Architectures { "$2"; };
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Acquire::Retries "3";
		Dir::Cache::pkgcache "pkgcache.bin";
		Dir::Cache::srcpkgcache "";
		Dir::Etc::Parts "/dev/null";
		Dir::Etc::main "/dev/null";
		$(machine_acquire)
	CONF
	export APT_CONFIG=$home/apt.conf
	[ -z "$(find "$home/fresh" -mmin -$lists_max_age_min 2>/dev/null)" ] || return 0
	apt-get update -qq >"$home/log" 2>&1 || { sed 's/^/    /' "$home/log" >&2; return 1; }
	touch "$home/fresh"
}

# resolved NAME COMMAND…: the folder the command prints; asked again once a day,
# for apt takes some seconds to answer. Without an answer today's is the last
# one, if it is still there.
resolved() {
	local note folder
	note=$cache/resolved/$1-$(cat "$top"/scripts/vm.d/{fetch.sh,kernels} | cksum | cut -d' ' -f1)
	shift
	if [ -n "$(find "$note" -mmin -$lists_max_age_min 2>/dev/null)" ] && [ -d "$(cat "$note")" ]; then
		cat "$note"
		return
	fi
	if ! folder=$("$@"); then
		folder=$(cat "$note" 2>/dev/null) && [ -d "$folder" ] || return 1
		echo "$me: not refreshed, as before: $(basename "$folder")" >&2
		echo "$folder"
		return
	fi
	mkdir -p "$(dirname "$note")"
	echo "$folder" >"$note.$$" && mv "$note.$$" "$note" && echo "$folder"
}

# "name=version" of each package of $@ as these suites have it.
versions() {
	local exact package
	exact=$(apt-cache policy "$@" | awk '/^[^ ]/ { sub(/:$/, "", $1); name = $1 }
		$1 == "Candidate:" && $2 != "(none)" { print name "=" $2 }')
	for package in "$@"; do
		grep -q "^$package=" <<<"$exact" || { echo "$me: no package $package" >&2; return 1; }
	done
	echo "$exact"
}

# Unpacks packages (name=version …) into cache folder $1 unless that is there
# already; whole or not at all.
unpack() {
	local into=$1 half file
	shift
	[ -d "$into" ] && return 0
	mkdir -p "$(dirname "$into")"
	half=$(mktemp -d "$into.half.XXXXXX") || return 1
	if ! (cd "$half" && mkdir tree && apt-get download -qq "$@" >log 2>&1 &&
		for file in *.deb; do dpkg-deb -x "$file" tree || exit 1; done >>log 2>&1); then
		echo "$me: cannot fetch or unpack $*: $(tail -n 1 "$half/log" 2>/dev/null)" >&2
		df -P "$cache" | awk 'NR == 2 && $4 < 500000 { print "the disk of '"$cache"' is almost full" }' >&2
		rm -rf "$half"
		return 1
	fi
	mv -T "$half/tree" "$into" 2>/dev/null
	rm -rf "$half"
	[ -d "$into" ]
}
