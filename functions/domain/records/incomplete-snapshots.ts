// Snapshots that were found incomplete.

/**
 * The prefixes of snapshots whose objects are gone or damaged: this process restores them no more, and builds
 * from the table while the head names one.
 */
export const incomplete = new Set<string>();
