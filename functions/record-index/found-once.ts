// What a question has found, until the bodies of its hits have come: the question is then asked again, and need not
// search again if nothing has changed.
import type { DatabaseSync } from 'node:sqlite';
import type { Found, Hit } from '#contract/record-queries.ts';
import { ObjectsAbsent } from './absent.ts';
import { bodyReader } from './bodies.ts';
import { statementOn } from './statements.ts';

/** Records that were found, by their rids, without their bodies. */
export interface FoundRids {
  hits: (Omit<Hit, 'body'> & { rid: number })[];
  matched: number;
}

interface Remembered {
  question: string;
  revision: unknown;
  found: FoundRids;
}

const remembered = new WeakMap<DatabaseSync, Remembered>();

/** Finds records and reads their bodies. Throws ObjectsAbsent; the next call with the same question then only reads. */
export function findOnce(database: DatabaseSync, question: object, find: () => FoundRids): Found {
  const asked = {
    question: JSON.stringify(question),
    revision: statementOn(database, "SELECT value FROM meta WHERE key = 'revision'").get()?.value,
  };
  const known = remembered.get(database);
  remembered.delete(database);
  const isSame = known?.question === asked.question && known.revision === asked.revision;
  const found = isSame ? known.found : find();
  try {
    return withBodies(database, found);
  } catch (error) {
    if (error instanceof ObjectsAbsent) remembered.set(database, { ...asked, found });
    throw error;
  }
}

function withBodies(database: DatabaseSync, { hits, matched }: FoundRids): Found {
  const bodyOf = bodyReader(
    database,
    hits.map(({ rid }) => rid),
  );
  return { hits: hits.map(({ rid, ...hit }) => ({ ...hit, body: bodyOf(rid) })), matched };
}
