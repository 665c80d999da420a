# SPDX-License-Identifier: GPL-2.0-only
# `make help` lists the targets. All output goes to $(BUILD).

BUILD   ?= build
CC      ?= gcc
CLANG   ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /usr/local/sbin/bpftool) bpftool)
PREFIX  ?= /usr/local
DESTDIR ?=
V       ?= 0
SAN     ?=
# Another architecture's libraries, unpacked: linked with them, statically.
static  := -static -Wl,--no-warnings
SYSROOT ?=
TRIPLET ?= aarch64-linux-gnu

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),@:,@printf '  %-7s %s\n' '$(1)' '$(2)')

PKGS     := libbpf liburing fuse3 json-c nettle blkid
PKG_CONFIG := $(if $(SYSROOT),PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(TRIPLET)/pkgconfig) pkg-config
CPPFLAGS += -D_GNU_SOURCE -Iuser -Ibpf -I$(BUILD)/skel $(shell $(PKG_CONFIG) --cflags $(PKGS) 2>/dev/null)
CPPFLAGS += $(if $(SYSROOT),-isystem $(SYSROOT)/usr/include)
WARN     := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wformat=2 -Wno-missing-field-initializers
CFLAGS   ?= -O2 -g
ALL_CFLAGS := -std=gnu11 $(WARN) $(CFLAGS) $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer)
LDFLAGS  += $(if $(SAN),-fsanitize=$(SAN)) $(if $(SYSROOT),$(static) -L$(SYSROOT)/usr/lib/$(TRIPLET))
LDLIBS   += $(shell $(PKG_CONFIG) --libs $(PKGS) 2>/dev/null) -lelf -lz -lm -lpthread

ARCH := $(shell uname -m | sed 's/x86_64/x86/;s/aarch64/arm64/')
BPF_CFLAGS := -target bpf -mcpu=v3 -O2 -g -D__TARGET_ARCH_$(ARCH) -Ibpf -Ivmlinux \
	-Wall -Wextra -Werror -Wno-unused-function -Wno-missing-declarations

OUT := $(BUILD)$(if $(SAN),/san)
SRC := $(filter-out user/main.c,$(shell find user -name '*.c' | sort))
OBJ := $(SRC:%.c=$(OUT)/%.o)
# Every program in two flavours, see bpf/access.bpf.h.
BPF_SRC := $(wildcard bpf/*.bpf.c)
SKEL := $(BPF_SRC:bpf/%.bpf.c=$(BUILD)/skel/%.skel.h) $(BPF_SRC:bpf/%.bpf.c=$(BUILD)/skel/%_raw.skel.h)
LIVE := $(OUT)/tests/live/foreign $(OUT)/tests/live/bystander.so
VM := $(patsubst tests/vm/%.c,$(OUT)/tests/vm/%,$(wildcard tests/vm/*.c))
UNIT := $(patsubst tests/unit/%.c,$(OUT)/tests/unit/%,$(wildcard tests/unit/test_*.c)) \
	$(patsubst tests/unit/%.c,$(OUT)/tests/unit/%_raw,$(wildcard tests/unit/test_*_events.c))

.PHONY: all arm64 help clean man install deps unit unit-programs fuzz fuzz-programs live-programs vm-programs test live check-vm bench demo
.DELETE_ON_ERROR:
.SECONDARY: $(SKEL) $(SKEL:$(BUILD)/skel/%.skel.h=$(BUILD)/bpf/%.bpf.o)

all: $(OUT)/iostrata ## build the tool

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10
	@echo
	@echo "V=1 shows the commands; SAN=address,undefined builds with sanitizers (into"
	@echo "BUILD/san); CC=, CLANG=, BPFTOOL=, CFLAGS=, LDFLAGS= as usual; BUILD= is the"
	@echo "folder of all output (build); install: PREFIX= (/usr/local), DESTDIR= (none)."

$(OUT)/iostrata: $(OUT)/user/main.o $(OUT)/libiostrata.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Files that change only when their text does, so that what was made with other
# flags or from sources that are gone is made again.
quote = '$(subst ','\'',$(1))'
keep = $(Q)mkdir -p $(@D); printf '%s\n' $(call quote,$(1)) | cmp -s - $@ || printf '%s\n' $(call quote,$(1)) > $@
$(OUT)/flags: FORCE
	$(call keep,$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS))
$(OUT)/objects: FORCE
	$(call keep,$(OBJ))
FORCE:

# Linked once as a whole, so that two functions of one name are an error and
# not a silent choice of the archive's.
$(OUT)/libiostrata.a: $(OBJ) $(OUT)/objects
	$(call say,AR,$@)
	$(Q)$(CC) -r -nostdlib -o $(OUT)/whole.o $(OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $(OBJ)

# Skeletons are order-only for a first build; dependency files take over after.
$(OUT)/%.o: %.c $(OUT)/flags | $(SKEL)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/bpf/%.bpf.o: bpf/%.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<

$(BUILD)/bpf/%_raw.bpf.o: bpf/%.bpf.c
	$(call say,BPF,$< raw)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -DIOSTRATA_RAW -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<

# One skeleton type serves both flavours if their variables lie alike.
layout = awk '/^\tstruct .*_bpf__(bss|rodata) \{/ { on = 1; next } /^\t\}/ { on = 0 } on' $(1)
$(BUILD)/skel/%_raw.skel.h: $(BUILD)/bpf/%_raw.bpf.o $(BUILD)/skel/%.skel.h
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_raw_bpf > $@
	$(Q)[ "$$($(call layout,$@))" = "$$($(call layout,$(@:_raw.skel.h=.skel.h)))" ] || \
		{ echo "$<: variables lie otherwise than in the typed flavour" >&2; exit 1; }

$(BUILD)/skel/%.skel.h: $(BUILD)/bpf/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf > $@

# The BPF programs as plain functions, in a kernel of a few lines.
$(OUT)/tests/unit/test_%_events: CPPFLAGS := -Itests/unit/kernel -Ivmlinux $(CPPFLAGS)

$(OUT)/tests/unit/%_raw: CPPFLAGS := -Itests/unit/kernel -Ivmlinux $(CPPFLAGS) -DIOSTRATA_RAW
$(OUT)/tests/unit/%_raw: tests/unit/%.c $(OUT)/libiostrata.a
	$(call say,CC,$< raw)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< $(OUT)/libiostrata.a $(LDLIBS) -lcmocka

$(OUT)/tests/unit/%: tests/unit/%.c $(OUT)/libiostrata.a
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< $(OUT)/libiostrata.a $(LDLIBS) -lcmocka

$(OUT)/tests/live/%: tests/live/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< -luring

$(OUT)/tests/vm/%: tests/vm/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< -luring

$(OUT)/tests/live/%.so: tests/live/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d -fPIC -shared -o $@ $< -lpthread -ldl

# Fuzz targets: clang's libFuzzer, and only the sources they feed.
FUZZ := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SRC := base/parse base/why stat/dist stat/hist report/responses_csv load/refuse_tables load/refuse_scope \
	kernel/symbols probe/facts probe/facts_cgroup probe/device_behind probe/kernel_text target/order
FUZZ_OBJ := $(FUZZ_SRC:%=$(BUILD)/fuzz/user/%.o)
.SECONDARY: $(FUZZ_OBJ)
FUZZ_FLAGS := -std=gnu11 -O1 -g $(WARN) -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all

$(BUILD)/fuzz/user/%.o: user/%.c
	$(call say,FUZZ,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(CPPFLAGS) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/fuzz/fuzz_%_events: CPPFLAGS := -Itests/unit/kernel -Ivmlinux $(CPPFLAGS)
$(BUILD)/fuzz/fuzz_responses: FUZZ_LINK := -Wl,--wrap=dist_init
$(BUILD)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZ_OBJ)
	$(call say,FUZZ,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(CPPFLAGS) -Itests/fuzz $(FUZZ_FLAGS) -fsanitize=fuzzer $(FUZZ_LINK) -MMD -MP -MF $@.d -o $@ \
		$< $(FUZZ_OBJ) -lm

unit-programs: $(UNIT)
fuzz-programs: $(FUZZ)
live-programs: $(LIVE)
vm-programs: $(VM)

deps: ## install what is missing (Debian, needs root)
	$(Q)scripts/install-deps

arm64: ## the tool for arm64, static, into BUILD/arm64 (fetches its libraries)
	$(Q)sysroot=$$(scripts/vm-sysroot) && $(MAKE) --no-print-directory BUILD=$(BUILD)/arm64 ARCH=arm64 \
		SYSROOT=$$sysroot CC=$(TRIPLET)-gcc AR=$(TRIPLET)-ar all vm-programs

unit: deps ## unit tests, under ASan and UBSan
	$(Q)$(MAKE) --no-print-directory SAN=address,undefined unit-programs
	$(Q)tests/run-unit $(BUILD)/san/tests/unit

fuzz: deps ## random input to what reads foreign text or events, some seconds
	$(Q)$(MAKE) --no-print-directory fuzz-programs
	$(Q)tests/run-fuzz

live: all live-programs ## tests on this kernel with real devices (needs root)
	$(Q)tests/run-live

check-vm: all vm-programs $(if $(findstring arm64,$(or $(KERNELS),arm64)),arm64) ## the cases on other kernels, in guests; CASES= KERNELS= choose
	$(Q)CASES='$(CASES)' KERNELS='$(KERNELS)' tests/run-vm

test: deps ## everything: build, lint, unit and live tests
	$(Q)tests/run-all

demo: deps ## install what is missing, build, and run the main job
	$(Q)$(MAKE) --no-print-directory all
	$(Q)$(OUT)/iostrata demo

bench: ## ratios against peers, no pass or fail (needs root); BENCH=--quick
	$(Q)scripts/install-deps bench
	$(Q)$(MAKE) --no-print-directory all $(BUILD)/bench/hold $(BUILD)/bench/peers.bpf.o
	$(Q)scripts/bench $(BENCH)

# The peers of the benchmark: no part of the tool.
$(BUILD)/bench/%.bpf.o: scripts/bench.d/%.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<

$(BUILD)/bench/%: scripts/bench.d/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< $(LDLIBS)

# Each page comes from the command's own table, as --help does.
COMMANDS := $(patsubst user/cmd/cmd_%.c,%,$(wildcard user/cmd/cmd_*.c))
MAN := $(OUT)/man/iostrata.8 $(COMMANDS:%=$(OUT)/man/iostrata-%.8)

$(OUT)/man/iostrata.8: $(OUT)/iostrata
	$(call say,MAN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$< --man > $@

$(OUT)/man/iostrata-%.8: $(OUT)/iostrata
	$(call say,MAN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$< $* --man > $@

man: $(MAN) ## man pages, made from the tables of options

install: all man ## the tool and its man pages, under $(DESTDIR)$(PREFIX)
	$(Q)install -d $(DESTDIR)$(PREFIX)/sbin $(DESTDIR)$(PREFIX)/share/man/man8
	$(Q)install -m 755 $(OUT)/iostrata $(DESTDIR)$(PREFIX)/sbin/iostrata
	$(Q)install -m 644 $(MAN) $(DESTDIR)$(PREFIX)/share/man/man8

clean: ## remove all output
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
