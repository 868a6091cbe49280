// The part of the toolchain's index library that the audit calls, as types of its functions: the library is loaded when
// the audit runs, so nothing of it is linked. Names, numbers and layouts are facts of indexstore/indexstore.h.
#ifndef PUSHBRIDGE_CINDEXSTORE_H
#define PUSHBRIDGE_CINDEXSTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// A text that the library keeps, not terminated.
typedef struct {
    const char *start;
    size_t length;
} index_text;

/// Whether a text contains another one, which is not empty.
static inline bool index_text_contains(index_text text, const char *other, size_t length) {
    const char *end = text.start + text.length;
    for (const char *at = text.start; at && (size_t)(end - at) >= length; at++) {
        at = (const char *)memchr(at, other[0], (size_t)(end - at) - length + 1);
        if (!at) return false;
        if (memcmp(at, other, length) == 0) return true;
    }
    return false;
}

/// A number that tells texts apart, with a chance of error that a comparison has to exclude.
static inline uint64_t index_text_hash(index_text text) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t at = 0; at < text.length; at++) hash = (hash ^ (uint8_t)text.start[at]) * 0x100000001b3u;
    return hash;
}

/// A store, reader, symbol and so on: the library hands out plain pointers.
typedef void *index_object;

/// Takes one of several texts or objects; returns whether to go on.
typedef bool (*index_text_visitor)(void *context, index_text text);
typedef bool (*index_object_visitor)(void *context, index_object object);

typedef unsigned (*index_number)(void);
typedef index_object (*index_open_store)(const char *path, index_object *error);
typedef index_object (*index_open_named)(index_object store, const char *name, index_object *error);
typedef void (*index_dispose)(index_object object);
typedef const char *(*index_error_text)(index_object error);
typedef index_text (*index_text_of)(index_object object);
typedef bool (*index_flag_of)(index_object object);
typedef unsigned (*index_kind_of)(index_object object);
typedef uint64_t (*index_roles_of)(index_object object);
typedef void (*index_place_of)(index_object occurrence, unsigned *line, unsigned *column);
typedef bool (*index_time_of)(
    index_object store, const char *unit, int64_t *seconds, int64_t *nanoseconds, index_object *error);
typedef bool (*index_each_unit)(index_object store, unsigned sorted, void *context, index_text_visitor visit);
typedef bool (*index_each_symbol)(index_object record, bool nocache, void *context, index_object_visitor visit);
typedef bool (*index_each)(index_object object, void *context, index_object_visitor visit);

/// Spells a mangled name out; the caller frees the text. NULL if the name is not mangled.
///
/// Of the Swift runtime, which has no header for it. It is named here and not looked up when the audit runs, because a runtime
/// that is linked in statically shows none of its names.
char *swift_demangle(
    const char *mangled, size_t length, char *buffer, size_t *buffer_length, uint32_t flags
);

#endif
