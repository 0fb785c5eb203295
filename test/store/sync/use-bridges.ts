// What every suite of inbound sync begins with.
import { beforeAll } from 'vitest';
import { secretHex } from '../../support/bridges.ts';
import { openSecrets } from '../../support/fakes.ts';
import { useTable } from '../../support/table.ts';

/** Gives the suite a table, and a key service that opens every sealed secret to the one of the fixture. */
export function useBridges(): void {
  useTable();
  beforeAll(() => openSecrets(secretHex));
}
