/** Incremented with every change of a record index's tables; a file of another version is rebuilt. */
export const SCHEMA_VERSION = 12;
