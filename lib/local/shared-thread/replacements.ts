// What the local bundles replace: requests share threads and a disk here, while on AWS each invocation has its own.

/** Modules by the name under which functions import them, and the files that replace them. */
export const sharedThread = {
  '#domain/records/records-transport.ts': 'lib/local/shared-thread/answer-in-thread.ts',
  '#domain/records/index-home.ts': 'lib/local/shared-thread/shared-index-files.ts',
  '#platform/observations.ts': 'lib/local/shared-thread/broadcast-observations.ts',
  '#store/runs/log-growth.ts': 'lib/local/shared-thread/broadcast-growth.ts',
};
