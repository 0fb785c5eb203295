// The keys of a snapshot's objects, under its prefix.
import type { ObjectName } from '#record-index/absent.ts';

/** An object: pages of the file, or a block of bodies. */
export const objectKey = (prefix: string, { part, number }: ObjectName) => `${prefix}/${part}-${number}.zst`;
