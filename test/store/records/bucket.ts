// The bucket, in memory, for tests of record indexes and their snapshots.

/** The objects by key. */
export const objects = new Map<string, Buffer<ArrayBuffer>>();

/** In place of the functions of the object store. */
export const bucket = {
  putBytes: async (key: string, bytes: Buffer<ArrayBuffer>) => void objects.set(key, bytes),
  getBytes: async (key: string) => objects.get(key),
  findBytes: async (key: string) => objects.get(key),
  deleteObject: async (key: string) => void objects.delete(key),
};
