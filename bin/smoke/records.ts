// The checks of records: a question by words, before and after a record changes, and the SQLite that answers it.
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { RunEnvelope } from '../../functions/contract/runs.ts';
import type { Send } from '../admin/connect-admin.ts';
import { ask, type ExpectThat, ended, posted, read, type Service } from './requests.ts';

/** Who may put records into the workspace of the service's key. */
export interface RecordAdmin {
  workspace_id: string;
  send: Send;
}

/** What record indexes need: full text from which single rows can be deleted, without a copy of the text. */
const NEEDED = { option: 'ENABLE_FTS5', version: [3, 43] } as const;
const Engine = z.object({ sqlite_version: z.string(), compile_options: z.array(z.string()) });

/** Checks that runs find records by their present words, and returns the SQLite that the service reports. */
export async function checkRecords(
  service: Service,
  admin: RecordAdmin,
  expectThat: ExpectThat,
): Promise<Record<string, unknown>> {
  const engine = Engine.parse(await admin.send({ command: 'index.engine' }));
  expectThat('its SQLite has what record indexes need', isEnough(engine), engine);
  const id = crypto.randomUUID();
  await put(admin, id, 'amber');
  const before = await foundBy(service, ['amber', 'cobalt']);
  expectThat('a run finds a record by its words', isDeepStrictEqual(before, [1, 0]), before);
  await put(admin, id, 'cobalt');
  const after = await foundBy(service, ['amber', 'cobalt']);
  expectThat('a changed record is found by its new words alone', isDeepStrictEqual(after, [0, 1]), after);
  return engine;
}

function isEnough({ sqlite_version, compile_options }: z.infer<typeof Engine>): boolean {
  const [major = 0, minor = 0] = sqlite_version.split('.').map(Number);
  const [neededMajor, neededMinor] = NEEDED.version;
  const isNew = major > neededMajor || (major === neededMajor && minor >= neededMinor);
  return isNew && compile_options.includes(NEEDED.option);
}

async function put({ workspace_id, send }: RecordAdmin, id: string, color: string): Promise<void> {
  const entities = [{ id, type: 'company', name: 'Smoke test', fields: { color } }];
  await send({ command: 'entity.import', workspace_id, entities });
}

/** How many records one run finds by each of the words. */
async function foundBy(service: Service, words: string[]): Promise<(number | undefined)[]> {
  const steps = words.map((query) => ({
    kind: 'fetch',
    title: `Find ${query}`,
    params: { source: 'companies', query },
  }));
  const plan = { title: 'Smoke test of records', steps };
  const answer = await ask(`${service.baseUrl}/runs`, posted(service, { input_type: 'plan', plan }));
  const { id } = read(RunEnvelope, 'a run that reads records is accepted', answer, 202);
  const run = await ended(service, id);
  return run.steps.map(({ items_out }) => items_out);
}
