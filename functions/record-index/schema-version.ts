/** Incremented with every change of a record index: of its tables, or of how it folds texts. Others are rebuilt. */
export const SCHEMA_VERSION = 14;
