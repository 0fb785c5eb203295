/** Grows with every change of the tables of a record index; a file of another version is built anew. */
export const SCHEMA_VERSION = 3;
