// The messages of one bridge, and what the highest versions of them make of the records.
import type { Random } from '../../support/random.ts';

interface Known {
  version: number;
  deleted: boolean;
  name: string;
}

export interface SyncModel {
  /** A message of a resource, now and then with a version that was sent before or is old. */
  next(chance: Random): object;
  imported(names: string[]): void;
  /** Names of the records that must exist in the end, besides the initial ones. */
  names(): string[];
}

const IDS = 4;

/** No message was sent yet. */
export function syncModel(): SyncModel {
  const known = new Map<string, Known>();
  const others: string[] = [];
  let versions = 0;
  return {
    next(chance) {
      const id = String(chance.below(IDS));
      const late = chance.oneIn(4);
      versions += 1;
      const version = late ? Math.max(0, versions - 3 - chance.below(3)) * 1000 + versions : versions * 1000;
      const deleted = chance.oneIn(4);
      const name = `Company ${id} v${version}`;
      const before = known.get(id);
      if (!before || version > before.version) known.set(id, { version, deleted, name });
      const resource = { type: 'company', id };
      return deleted
        ? { resource, operation: 'delete', version }
        : { resource, operation: 'update', version, data: { ...resource, attributes: { name } } };
    },
    imported: (names) => void others.push(...names),
    names: () => [
      ...[...known.values()].filter(({ deleted }) => !deleted).map(({ name }) => name),
      ...others,
    ],
  };
}
