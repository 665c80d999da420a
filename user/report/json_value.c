// SPDX-License-Identifier: GPL-2.0-only
// In: numbers and words. Out: JSON values, exact, valid UTF-8. See json_value.h.
#include "report/json_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct json_object *number(double value)
{
	char text[40];

	if (!isfinite(value))
		return NULL;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return json_object_new_double_s(value, text);
}

void json_add_number(struct json_object *parent, const char *key, double value)
{
	json_object_object_add(parent, key, number(value));
}

void json_add_measured(struct json_object *parent, const char *key, double value)
{
	json_object_object_add(parent, key, value < 0 ? NULL : number(value));
}

void json_add_known(struct json_object *parent, const char *key, uint64_t value)
{
	json_object_object_add(parent, key,
			       value == UINT64_MAX ? NULL : json_object_new_uint64(value));
}

void json_add_bool(struct json_object *parent, const char *key, bool value)
{
	json_object_object_add(parent, key, json_object_new_boolean(value));
}

/* Bytes of the well-formed UTF-8 sequence at `s`; 0: there is none. Overlong
 * forms, surrogates and what lies beyond U+10FFFF are not well-formed.
 */
static size_t sequence(const unsigned char *s)
{
	size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if (s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return length;
}

struct json_object *json_text(const char *text)
{
	char clean[2048];
	size_t used = 0;

	if (!text || !*text)
		return NULL;
	while (*text && used + 4 < sizeof(clean)) {
		size_t length = sequence((const unsigned char *)text);

		memcpy(clean + used, length ? text : "\357\277\275", length ? length : 3);
		used += length ? length : 3;
		text += length ? length : 1;
	}
	return json_object_new_string_len(clean, (int)used);
}

void json_add_text(struct json_object *parent, const char *key, const char *text)
{
	json_object_object_add(parent, key, json_text(text));
}

struct json_object *json_add_object(struct json_object *parent, const char *key)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(parent, key, object);
	return object;
}

struct json_object *json_add_array(struct json_object *parent, const char *key)
{
	struct json_object *array = json_object_new_array();

	json_object_object_add(parent, key, array);
	return array;
}
