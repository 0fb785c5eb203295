// Every operation with another tenant's ids of every kind: the answer is the one for an id that does not exist.
import { canonicalJson } from '../../../functions/platform/crypto.ts';
import { newId } from '../../../functions/platform/ids.ts';
import type { Home } from '../../support/given.ts';
import { call } from '../../support/service.ts';
import * as when from '../../support/when.ts';
import { type Operation, operations } from '../fuzz/document.ts';
import type { Findings } from '../proof.ts';
import { newHome, type ProvedService } from '../proved-service.ts';
import { logToItsEnd } from '../work.ts';

/** A body with which an operation gets as far as its ids. */
const bodies: Readonly<Record<string, object>> = { RerunRun: { step_index: 0 }, ResumeRun: {} };

/** Ids by what they name. */
type Ids = Readonly<Record<string, string>>;

interface Tenant {
  home: Home;
  ids: Ids;
}

async function tenant(service: ProvedService): Promise<Tenant> {
  const home = await newHome(service);
  const external_uri = `crm:${newId()}`;
  const { entities } = await service.admin({
    command: 'entity.import',
    workspace_id: home.workspace_id,
    entities: [{ type: 'company', name: 'Own', fields: { city: 'Rome' }, external_uri }],
  });
  const entity = entities[0].id;
  const created = await call('POST', '/runs', {
    ...home,
    body: {
      input_type: 'preset',
      preset: 'dossier',
      params: { entity: { id: entity } },
      callback_url: 'http://127.0.0.1:1/hook',
    },
  });
  const log = await logToItsEnd(home, created.body.id);
  const run = await when.readsRun(home, created.body.id);
  const ids = {
    run: run.id,
    event: log.at(-1)?.id ?? '',
    artifact: run.artifacts[0].id,
    note: run.note_ids[0],
    entity,
    external_uri,
    workspace: home.workspace_id,
    key: home.key_id,
  };
  return { home, ids };
}

/** Ids of the same shapes that name nothing. */
function nothing({ ids }: Tenant): Ids {
  const of = (id: string) => id.replace(/[0-9a-f]{12}/g, (digits) => newId().slice(-digits.length));
  return Object.fromEntries(Object.entries(ids).map(([kind, id]) => [kind, of(id)]));
}

/** The answer with its ids named, without what differs between any two answers. */
async function answer(home: Home, ids: Ids, method: string, path: string, body?: object): Promise<string> {
  const { status, body: answered } = await call(method, path, { ...home, ...(body && { body }) });
  return withNamedIds(ids, { status, body: answered }).replace(/"request_id":"[^"]*"/, '');
}

/** As canonical JSON (the table keeps no order of keys), with each id replaced by its kind. */
function withNamedIds(ids: Ids, value: object): string {
  return Object.entries(ids).reduce(
    (text, [kind, id]) => text.replaceAll(id, `<${kind}>`),
    canonicalJson(value),
  );
}

/** Paths of an operation with the kinds of ids in its places; an event is also tried behind a run of one's own. */
function pathsOf({ path }: Operation, own: Ids, ids: Ids): string[] {
  const kinds = Object.keys(ids);
  const below = path.replace('/api/v1', '');
  if (below.includes('{event_id}'))
    return [ids.run, own.run].map((run) =>
      below.replace('{id}', run ?? '').replace('{event_id}', ids.event ?? ''),
    );
  return kinds.map((kind) => below.replace(/\{\w+\}/, encodeURIComponent(ids[kind] ?? '')));
}

/** Requests whose body or query names what belongs to others. */
function requestsNaming({ entity, external_uri, artifact, note }: Ids): [string, string, object?][] {
  const refs = encodeURIComponent(JSON.stringify([{ id: entity }, { external_uri }]));
  const dossier = (ref: object) => ({ input_type: 'preset', preset: 'dossier', params: { entity: ref } });
  return [
    ['GET', `/entities/resolve?refs=${refs}`],
    ['POST', '/runs', dossier({ id: entity })],
    ['POST', '/runs', dossier({ external_uri })],
    ['GET', `/runs?cursor=${artifact}${note}`],
  ];
}

/** What a run of `home` makes of records, notes and artifacts that it names. */
async function injected(home: Home, ids: Ids): Promise<string> {
  const params = { entities: [{ id: ids.entity }], note_ids: [ids.note], artifact_ids: [ids.artifact] };
  const { body } = await when.createsPlanRun(home, [
    { kind: 'inject_context', params },
    { kind: 'reconstitute' },
  ]);
  await logToItsEnd(home, body.id);
  const { status, warnings, errors, message } = await when.readsRun(home, body.id);
  return withNamedIds(ids, { status, warnings, errors, message });
}

/** Where two answers part. */
function firstDifference(one: string, other: string): string {
  const at = [...one].findIndex((char, i) => char !== other[i]);
  const shown = (text: string) => text.slice(Math.max(0, at - 40), at + 80);
  return `…${shown(one)}… is not …${shown(other)}…`;
}

/** Compares, for each of them, the answer about another tenant's things with the answer about nothing. */
export async function crossTenants(service: ProvedService): Promise<Findings> {
  const [own, other] = [await tenant(service), await tenant(service)];
  const missing = nothing(other);
  const breaches: string[] = [];
  const statuses: Record<string, number> = {};
  const compare = (what: string, foreign: string, absent: string) => {
    const status = /"status":"?(\w+)/.exec(foreign)?.[1] ?? '';
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (foreign !== absent) breaches.push(`${what}: ${firstDifference(foreign, absent)}`);
    if (status === '200' && !what.includes('resolve')) breaches.push(`${what}: answered ${foreign}`);
  };
  const withIds = operations.filter(({ path }) => path.startsWith('/api/v1') && path.includes('{'));
  for (const operation of withIds) {
    const foreign = pathsOf(operation, own.ids, other.ids);
    const absent = pathsOf(operation, own.ids, missing);
    for (const [i, path] of foreign.entries()) {
      const body = bodies[operation.id];
      compare(
        `${operation.id} ${path}`,
        await answer(own.home, other.ids, operation.method, path, body),
        await answer(own.home, missing, operation.method, absent[i] ?? '', body),
      );
    }
  }
  const asking = requestsNaming(missing);
  for (const [i, [method, path, body]] of requestsNaming(other.ids).entries()) {
    const [, absentPath = '', absentBody] = asking[i] ?? [];
    compare(
      `${method} ${path}`,
      await answer(own.home, other.ids, method, path, body),
      await answer(own.home, missing, method, absentPath, absentBody),
    );
  }
  compare('a run of others’ things', await injected(own.home, other.ids), await injected(own.home, missing));
  return { breaches, operations: withIds.length, statuses };
}
