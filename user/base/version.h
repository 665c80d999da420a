/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IOSTRATA_VERSION_H
#define IOSTRATA_VERSION_H

#define IOSTRATA_VERSION "0.1.0"

#endif
