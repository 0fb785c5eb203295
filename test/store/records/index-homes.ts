// Both versions of the module that decides where index files live: a test file mocks that module with `chosenHome` and
// chooses for each test.
import { vi } from 'vitest';
import type * as indexHome from '#domain/records/index-home.ts';
import * as sharedDisk from '../../../lib/local/shared-thread/shared-index-files.ts';

type IndexHome = Pick<typeof indexHome, 'writeImport' | 'idsInIndex' | 'holdersInIndex' | 'releaseIndex'>;

const ownDisk = await vi.importActual<typeof indexHome>('#domain/records/index-home.ts');
let chosen: IndexHome = ownDisk;

/** Chooses the version that the product code of this process uses from now on. */
export function chooseHome(name: 'own disk' | 'shared disk'): void {
  chosen = name === 'own disk' ? ownDisk : sharedDisk;
}

export const chosenHome: typeof indexHome = {
  SNAPSHOT_MIN_RECORDS: ownDisk.SNAPSHOT_MIN_RECORDS,
  SHARED_MIN_IDS: ownDisk.SHARED_MIN_IDS,
  writeImport: (...input) => chosen.writeImport(...input),
  idsInIndex: (...input) => chosen.idsInIndex(...input),
  holdersInIndex: (...input) => chosen.holdersInIndex(...input),
  releaseIndex: (...input) => chosen.releaseIndex(...input),
};
