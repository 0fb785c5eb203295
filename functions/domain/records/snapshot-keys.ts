// The keys of a snapshot's objects, under its prefix.

/** A part of the file. */
export const partKey = (prefix: string, part: number) => `${prefix}/${part}.zst`;
/** A part of the file of its vectors. */
export const vectorKey = (prefix: string, part: number) => `${prefix}/vectors-${part}.zst`;
/** A block of its bodies. */
export const bodiesKey = (prefix: string, block: number) => `${prefix}/bodies-${block}.zst`;
