/* mutate.h: changes to an input that a parser of its format would make sense of, for the fuzz targets. Each function
 * makes one change in place, chosen by `seed`, and returns the new size, at most `room`; 0: there is nothing to change.
 * Bytes behind the file are kept. */
#ifndef TL_TEST_MUTATE_H
#define TL_TEST_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* A .gltf or .glb file: removes, repeats, swaps, renames or replaces a value of its JSON, by another type, by a number
 * out of range, or by an index that is one too high. The lengths of a .glb stay right. */
size_t mutate_gltf(uint8_t *bytes, size_t size, size_t room, uint32_t seed);

/* A T3DM file: changes a field of a record, which the layout tables find, to 0, to its largest value, by one, to the
 * value of another field or to an offset in the file; or removes, repeats, swaps or renames a row of the chunk table;
 * or repeats a record, with the offsets behind it moved. */
size_t mutate_t3dm(uint8_t *bytes, size_t size, size_t room, uint32_t seed);

/* The next of a sequence of random numbers. */
uint32_t mutate_random(uint32_t *state);

/* Replaces the bytes [from, to). Returns the new size, 0 when that is more than `room`. */
size_t mutate_splice(uint8_t *bytes, size_t size, size_t room, size_t from, size_t to, const void *with, size_t length);

#endif
