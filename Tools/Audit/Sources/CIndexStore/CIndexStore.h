// The types of the functions of the toolchain's index library that the audit calls. The audit loads the library at run
// time and does not link it. Names, numbers and layouts come from indexstore/indexstore.h.
#ifndef PUSHBRIDGE_CINDEXSTORE_H
#define PUSHBRIDGE_CINDEXSTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// A text that the library owns, without a terminator.
typedef struct {
    const char *start;
    size_t length;
} index_text;

/// Whether a text contains another text, which must not be empty.
static inline bool index_text_contains(index_text text, const char *other, size_t length) {
    const char *end = text.start + text.length;
    for (const char *at = text.start; at && (size_t)(end - at) >= length; at++) {
        at = (const char *)memchr(at, other[0], (size_t)(end - at) - length + 1);
        if (!at) return false;
        if (memcmp(at, other, length) == 0) return true;
    }
    return false;
}

/// A hash of a text; equal hashes require a comparison of the texts.
static inline uint64_t index_text_hash(index_text text) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t at = 0; at < text.length; at++) hash = (hash ^ (uint8_t)text.start[at]) * 0x100000001b3u;
    return hash;
}

/// A store, reader, symbol and so on: the library returns untyped pointers.
typedef void *index_object;

/// Receives one of several texts or objects; returns whether to continue.
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

/// Demangles a name; the caller frees the text. NULL if the name is not mangled.
///
/// This function of the Swift runtime has no header. It is declared here and not looked up at run time, because a
/// statically linked runtime exports none of its names.
char *swift_demangle(
    const char *mangled, size_t length, char *buffer, size_t *buffer_length, uint32_t flags
);

#endif
