// rules.md: deletion 4. Whose each kind of key is: what belongs to a run is deleted with it, so a new kind is listed here
// first.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keys } from '#store/table/table-keys.ts';
import { filesBy } from '../../support/files.ts';

/**
 * `run`: in the partition of its run, which is erased whole. `reachable`: of a run but outside its partition, listed in
 * store/runs/deletion.ts. `stays`: what the deletion of a run leaves. `prefix`: of another kind.
 */
const kinds: Record<keyof typeof keys, 'run' | 'reachable' | 'stays' | 'prefix'> = {
  ...{
    runPartition: 'prefix',
    checkpoints: 'prefix',
    calls: 'prefix',
    callsOf: 'prefix',
    saved: 'prefix',
    savedOf: 'prefix',
    log: 'prefix',
    events: 'prefix',
    deliveries: 'prefix',
    jobs: 'prefix',
    jobsOf: 'prefix',
  },
  ...{
    run: 'run',
    input: 'run',
    plan: 'run',
    output: 'run',
    checkpoint: 'run',
    call: 'run',
    savedCall: 'run',
    deletion: 'run',
    delivery: 'run',
    job: 'run',
    jobPage: 'run',
  },
  ...{ runList: 'reachable', runsOfStatus: 'reachable', runsOfPair: 'reachable', listedRun: 'reachable' },
  ...{ idempotency: 'reachable', artifacts: 'reachable', artifact: 'reachable', notes: 'reachable' },
  ...{
    note: 'reachable',
    slots: 'reachable',
    slot: 'reachable',
    listedBeyond: 'prefix',
    listedBefore: 'prefix',
  },
  ...{
    workspace: 'stays',
    release: 'stays',
    deliverySlots: 'stays',
    counters: 'stays',
    costs: 'stays',
    cost: 'stays',
    apiKeys: 'stays',
    apiKey: 'stays',
    openStreams: 'stays',
    openStream: 'stays',
    linkReaders: 'stays',
    linkReader: 'stays',
  },
  ...{ ledger: 'stays', ledgerEntry: 'stays', bearer: 'stays', workspaces: 'stays', audit: 'stays' },
  ...{
    listedWorkspace: 'stays',
    maintenance: 'stays',
    auditEntry: 'stays',
    entities: 'stays',
    entity: 'stays',
  },
  ...{
    uri: 'stays',
    unnamed: 'stays',
    nameClaim: 'stays',
    externalId: 'stays',
    changes: 'stays',
    change: 'stays',
    changedIds: 'stays',
  },
  ...{
    recordsHead: 'stays',
    fileImport: 'stays',
    countedImport: 'stays',
    relationships: 'stays',
    relationship: 'stays',
  },
  ...{ linksOf: 'stays', link: 'stays', bridge: 'stays', synced: 'stays', claim: 'stays' },
  ...{ sources: 'stays', source: 'stays', monitors: 'stays', monitor: 'stays', monitorRun: 'stays' },
  // Ids of a run that may be gone.
  ...{ compared: 'stays', fires: 'stays', fire: 'stays', mark: 'stays' },
  // What deleted runs counted, without their contents.
  ...{ deletedRuns: 'stays', usageChange: 'stays', usageChanges: 'prefix' },
  ...{ usageDay: 'stays', usageDays: 'prefix', usageState: 'stays' },
  ...{ monitorPlan: 'stays', vectors: 'stays', embedding: 'stays', endpoint: 'stays' },
};

test('every kind of item is of a run or not, and those of a run are in its partition', () => {
  expect(Object.keys(kinds).toSorted()).toEqual(Object.keys(keys).toSorted());
  for (const [name, make] of Object.entries(keys)) {
    if (kinds[name as keyof typeof keys] !== 'run' || typeof make !== 'function') continue;
    const key: unknown = Reflect.apply(make, undefined, ['W', 'R', 'x', 'x']);
    expect(key, name).toMatchObject({ pk: keys.runPartition('W', 'R') });
  }
});

test('every object of a run is below its prefixes: no other module makes keys of objects', () => {
  const makers = filesBy('functions/store/**/*.ts').filter((file) =>
    /`[^`]*\.json[`']/.test(readFileSync(file, 'utf8')),
  );
  expect(makers).toEqual(['functions/store/table/object-keys.ts']);
});
