// In place of the module that starts threads: each function has a disk of its own for record indexes, as deployed, which
// a restart of the service leaves warm.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startWorker as start } from '../../../lib/local/lambda/host/worker.ts';

const DISK_MB = '4096';

/** Starts a thread on the disk of its function. */
export const startWorker: typeof start = (options) => {
  const { RECORD_INDEX_DIR = '', AWS_LAMBDA_FUNCTION_NAME = '' } = options.env;
  const disk = join(dirname(RECORD_INDEX_DIR), 'disks', AWS_LAMBDA_FUNCTION_NAME);
  mkdirSync(disk, { recursive: true });
  return start({
    ...options,
    env: { ...options.env, RECORD_INDEX_DIR: disk, RECORD_INDEX_DISK_MB: DISK_MB },
  });
};
