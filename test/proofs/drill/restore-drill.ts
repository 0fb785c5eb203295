// The drill of docs/restore.md: a table of an earlier point in time beside newer objects, executions and index files.
// Afterwards the service answers what it had at that point, nothing that is newer, and goes on.
import { isDeepStrictEqual } from 'node:util';
import type { Home } from '../../support/given.ts';
import { call, type HttpReply, until } from '../../support/service.ts';
import { bridgeCommand, push, type SyncBridge, send } from '../../support/sync-sender.ts';
import * as when from '../../support/when.ts';
import type { Findings } from '../proof.ts';
import { logToItsEnd } from '../work.ts';
import { answersOf, answersOfReads, differing } from './answers.ts';
import { type RestorableService, restorableService } from './restorable-service.ts';

interface Drill {
  records: number;
  /** Whether `index renew` is run. The drill finds that it was left out. */
  renews: boolean;
}

const IMPORT_LINES = 500;
const WITHIN_MS = 60_000;
/** Two sweeps and a run. */
const LATE_MS = 180_000;

/** A workspace with runs before, at and after the point in time. */
interface Scene {
  service: RestorableService;
  home: Home;
  /** A workspace in maintenance at the point in time. */
  parked: Home;
  bridge: SyncBridge;
  breaches: string[];
  check(what: string, isRight: boolean, found: unknown): void;
}

/** Works, copies the table, works on, restores the copy, and compares what is answered then with what was before. */
export async function drillRestore(drill: Drill): Promise<Findings> {
  const service = await restorableService();
  try {
    const scene = await prepare(service);
    const then = await workUntilThePoint(scene, drill);
    await service.copyTable();
    const since = await workOn(scene, then);
    await service.restoreTable();
    const stale = differing(await answersOfReads(scene.home), then.answers);
    scene.check('index files are ahead of the table', stale.length > 0, stale);
    const renewed = drill.renews ? await service.admin({ command: 'index.renew' }) : {};
    await service.admin({ command: 'maintenance.end' });
    await answersAsThen(scene, then);
    await knowsNothingNewer(scene, since);
    await goesOn(scene, then);
    await endsLate(scene, then, since);
    return { ...renewed, stale_before: stale.length, breaches: scene.breaches };
  } finally {
    await service.remove();
  }
}

async function prepare(service: RestorableService): Promise<Scene> {
  const home = await newHome(service);
  const parked = await newHome(service);
  const bridge = await service.admin(bridgeCommand(home.workspace_id));
  const breaches: string[] = [];
  return {
    ...{ service, home, parked, breaches },
    bridge: { ...bridge, access: home.access },
    check(what, isRight, found) {
      if (!isRight) breaches.push(`${what}: ${JSON.stringify(found)}`);
    },
  };
}

async function newHome({ admin, access }: RestorableService): Promise<Home> {
  const { workspace_id } = await admin({
    ...{ command: 'workspace.create', name: 'Drill', tier: 'enterprise', features: ['WEBHOOK_INTEGRATION'] },
  });
  const { api_key: key, key_id } = await admin({ command: 'key.create', workspace_id, scopes: 'all' });
  return { workspace_id, key, key_id, access };
}

/** Old records, an ended run, one at work and one that maintenance has paused; and what is answered then. */
async function workUntilThePoint(scene: Scene, { records }: Drill) {
  const { service, home, parked, bridge } = scene;
  const ids = await imports(service, home, records, 'old');
  await send(bridge, push('company', 'synced', { name: 'Synced' }));
  await savesSnapshot(service, home, 1);
  const first = await succeeds(home, 'first');
  const answers = await answersOf(home);
  await service.admin({ command: 'maintenance.start', workspace_id: parked.workspace_id });
  const waits = (await when.createsPlanRun(parked, [when.fetchCompanies])).body.id;
  await reaches(parked, waits, 'paused');
  const slow = { kind: 'reconstitute', instructions: '[[delay:1500]] sum up' };
  const works = (await when.createsPlanRun(home, [when.fetchCompanies, slow])).body.id;
  await until(
    'its second step',
    async () => (await when.readsRun(home, works)).steps[1]?.status === 'running' || undefined,
  );
  return { ids, first, answers, waits, works };
}
type Then = Awaited<ReturnType<typeof workUntilThePoint>>;

/** Everything that the restored table must not know: ends of open runs, changed, new and deleted records, a new key. */
async function workOn(scene: Scene, { ids, answers, waits, works }: Then) {
  const { service, home, parked, bridge } = scene;
  await service.admin({ command: 'maintenance.end', workspace_id: parked.workspace_id });
  await logToItsEnd(parked, waits);
  await logToItsEnd(home, works);
  await service.admin({
    command: 'entity.import',
    workspace_id: home.workspace_id,
    entities: ids.slice(0, 3).map((id, i) => ({ id, ...company('new', i) })),
  });
  // Of other names: those of the renamed records would be these records.
  const [record] = await imports(service, home, 3, 'newer');
  await send(bridge, { resource: { type: 'company', id: 'synced' }, operation: 'delete' });
  const run = await succeeds(home, 'lost');
  const command = { command: 'key.create', workspace_id: home.workspace_id, scopes: 'all' } as const;
  const { api_key: key } = await service.admin(command);
  await savesSnapshot(service, home, 2);
  const newer = await answersOf(home);
  for (const [name, answer] of Object.entries(newer))
    scene.check(`an answer has changed: ${name}`, !isDeepStrictEqual(answer, answers[name]), answer);
  return { record, run, key };
}
type Since = Awaited<ReturnType<typeof workOn>>;

async function answersAsThen({ home, check }: Scene, { answers, first }: Then): Promise<void> {
  const now = await answersOf(home);
  for (const name of Object.keys(answers))
    check(`the answer then: ${name}`, isDeepStrictEqual(now[name], answers[name]), now[name]);
  const again = await when.readsRun(home, first.id);
  check('an ended run is the same', isDeepStrictEqual(again, first), again);
  const artifact = await call('GET', `/artifacts/${first.artifacts[0].id}`, home);
  check('its artifact is there', artifact.status === 200, artifact.body);
  const repeated = await posted(home, 'first');
  check('its key still gives it', repeated.status === 200 && repeated.body.id === first.id, repeated.body);
}

/** What was made since is not there, rather than an error. */
async function knowsNothingNewer({ home, check }: Scene, { record, run, key }: Since): Promise<void> {
  for (const path of [`/entities/${record}`, `/runs/${run.id}`, `/artifacts/${run.artifacts[0].id}`]) {
    const { status, body } = await call('GET', path, home);
    check(`unknown: ${path}`, status === 404, body);
  }
  const { status, body } = await call('GET', '/me', { ...home, key });
  check('a newer key is refused', status === 401, body);
}

/** The run that was at work ends, and new work succeeds. */
async function goesOn({ service, home, check }: Scene, { works }: Then): Promise<void> {
  const log = await logToItsEnd(home, works);
  check('the run at work succeeds', log.at(-1)?.event_type === 'run.succeeded', log.at(-1));
  const sequences = log.map(({ sequence }) => sequence);
  const inOrder = sequences.every((sequence, i) => sequence === i + 1);
  check('its log has no gap', inOrder, sequences);
  await imports(service, home, 2, 'restored');
  const { body } = await call('GET', '/entities?query=restored', home);
  check('new records are found', body.data.length === 2, body);
  await succeeds(home, 'new');
}

/**
 * What the sweep starts within two minutes: the paused run, whose token was used, and the run of a key that was used
 * since, whose execution would have a name that was used.
 */
async function endsLate({ service, home, parked, check }: Scene, { waits }: Then, { run }: Since) {
  await service.admin({ command: 'maintenance.end', workspace_id: parked.workspace_id });
  const { status, body } = await posted(home, 'lost');
  check('a lost key makes its run once more', status === 202 && body.id === run.id, body);
  await reaches(home, run.id, 'succeeded', LATE_MS);
  await reaches(parked, waits, 'succeeded', LATE_MS);
  const { repairs_failed, logs_illegal } = await service.invoke('Sweep');
  check('the sweep repairs everything', repairs_failed + logs_illegal === 0, {
    repairs_failed,
    logs_illegal,
  });
}

const company = (revision: string, size: number) => ({
  type: 'company',
  name: `Company ${revision} ${size}`,
  fields: { revision, size },
});

async function imports(service: RestorableService, home: Home, records: number, revision: string) {
  const ids: string[] = [];
  for (let from = 0; from < records; from += IMPORT_LINES) {
    const lines = Array.from({ length: Math.min(IMPORT_LINES, records - from) }, (_, i) =>
      company(revision, from + i),
    );
    const { workspace_id } = home;
    const { entities } = await service.admin({ command: 'entity.import', workspace_id, entities: lines });
    ids.push(...entities.map(({ id }: { id: string }) => id));
  }
  return ids;
}

/** Waits until the sweep's compaction has saved a snapshot of this generation. */
async function savesSnapshot(
  service: RestorableService,
  { workspace_id }: Home,
  generation: number,
): Promise<void> {
  await service.invoke('Sweep');
  await until(
    `snapshot ${generation}`,
    async () => service.hasSnapshot(workspace_id, generation) || undefined,
    WITHIN_MS,
  );
}

function posted(home: Home, idempotencyKey: string): Promise<HttpReply> {
  return when.createsPlanRun(
    home,
    [when.fetchCompanies, when.answer],
    {},
    { 'idempotency-key': idempotencyKey },
  );
}

/** The run of a key, once it has succeeded. */
async function succeeds(home: Home, idempotencyKey: string) {
  const { body } = await posted(home, idempotencyKey);
  await logToItsEnd(home, body.id);
  return reaches(home, body.id, 'succeeded');
}

/** The run once it has a status. Throws when that takes too long. */
async function reaches(home: Home, id: string, status: string, withinMs = WITHIN_MS) {
  const look = async () => {
    const run = await when.readsRun(home, id);
    return run.status === status ? run : undefined;
  };
  return until(`${status} of run ${id}`, look, withinMs);
}
