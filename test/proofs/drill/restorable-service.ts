// A service on its own folder whose table is copied while it runs, and restored later beside everything that is newer.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { CommandInput } from '../../../functions/admin/commands.ts';
import { type Engine, openEngine } from '../../../lib/local/dynamodb/engine/engine.ts';
import type { JsonObject } from '../../../lib/local/json-values.ts';
import { type Runtime, startRuntime } from '../../../lib/local/runtime/runtime.ts';
import { deployedAssembly } from '../../support/deployed-assembly.ts';
import { until } from '../../support/service.ts';

export interface RestorableService {
  /** Where it listens; the same after a restart. */
  access: Pick<Runtime, 'base_url' | 'site_url'>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of the service are read freely
  invoke(name: string, input?: object): Promise<any>;
  /** Carries out an admin command. Throws what the command refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of the service are read freely
  admin(command: CommandInput): Promise<any>;
  /** Whether the table names a snapshot of this generation for a workspace, and no compaction is left to do. */
  hasSnapshot(workspaceId: string, generation: number): boolean;
  /** Copies the table as it is now, while the service goes on. */
  copyTable(): Promise<void>;
  /**
   * Stops the service, replaces its table by the copy, and starts it again on the bucket, queues, executions and index
   * files as they are. Runs wait from its start on, as the page of the procedure says.
   */
  restoreTable(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** How long a restore takes: what was due soon at the point in time is overdue then. */
const RESTORE_TAKES_MS = 3600_000;

/** Starts one on a fresh folder, with the functions as deployed, on disks of their own. */
export async function restorableService(): Promise<RestorableService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'run-service-drill-'));
  const assembly = await deployedAssembly(join(dataDir, 'cdk.out'));
  const start = (port: number) => startRuntime({ dataDir, port, cloudAssembly: async () => assembly });
  let runtime = await start(0);
  const { base_url, site_url } = runtime;
  const [table] = runtime.stack.ofType('AWS::DynamoDB::Table');
  const TableName = table?.attributes.ref ?? '';
  const file = join(dataDir, 'tables.db');
  const copy = join(dataDir, 'tables.copy');

  async function invoke(name: string, input: object = {}) {
    const result = await runtime.lambda.invoke(name, JSON.stringify(input));
    if (!result.ok) throw new Error(result.error.errorMessage);
    return JSON.parse(result.payload);
  }

  /** Uses the table while no other connection of this process has a file that is locked for long. */
  function onTable<T>(use: (engine: Engine) => T): T {
    const engine = openEngine(file);
    try {
      return use(engine);
    } finally {
      void engine.close();
    }
  }

  return {
    access: { base_url, site_url },
    invoke,
    async admin(command) {
      const answer = await invoke('Admin', command);
      if (answer.error) throw new Error(JSON.stringify(answer));
      return answer;
    },
    hasSnapshot(workspaceId, generation) {
      const left = Object.entries(runtime.services.get('sqs')?.figures?.() ?? {});
      if (left.some(([name, messages]) => name.startsWith('Compaction') && messages > 0)) return false;
      const Key = { pk: { S: `WS#${workspaceId}` }, sk: { S: 'RECORDS' } };
      const { Item } = onTable((engine) => engine.perform('GetItem', { TableName, Key }));
      return Number(fieldAt(Item, 'snapshot', 'M', 'generation', 'N') ?? 0) >= generation;
    },
    async copyTable() {
      const source = new DatabaseSync(file, { readOnly: true });
      await backup(source, copy);
      source.close();
    },
    async restoreTable() {
      await runtime.stop();
      // The clients of this process must notice that their connections are closed: the new service has the same port.
      await until('the end of the service', () =>
        fetch(site_url).then(
          () => undefined,
          () => true,
        ),
      );
      for (const tail of ['-wal', '-shm']) rmSync(`${file}${tail}`, { force: true });
      copyFileSync(copy, file);
      onTable((engine) => {
        age(engine, TableName);
        pauseRuns(engine, TableName);
      });
      runtime = await start(Number(new URL(site_url).port));
    },
    async remove() {
      await runtime.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Maintenance of the whole service, as `maintenance start` writes it. */
function pauseRuns(engine: Engine, TableName: string): void {
  const Item = { pk: { S: 'SERVICE' }, sk: { S: 'MAINTENANCE' }, active: { BOOL: true } };
  engine.perform('PutItem', { TableName, Item });
}

/** Makes everything that was due, and the last event of each run, older by the time that a restore takes. */
function age(engine: Engine, TableName: string): void {
  for (let start: unknown; ; ) {
    const page = engine.perform('Scan', {
      TableName,
      ...(start ? { ExclusiveStartKey: Object(start) } : {}),
    });
    for (const item of Array.isArray(page.Items) ? page.Items : []) ageItem(engine, TableName, Object(item));
    start = page.LastEvaluatedKey;
    if (!start) return;
  }
}

function ageItem(engine: Engine, TableName: string, item: JsonObject): void {
  if (item.due_at === undefined) return;
  const names = ['due_at', ...(item.last_event_at === undefined ? [] : ['last_event_at'])];
  engine.perform('UpdateItem', {
    TableName,
    Key: { pk: Object(item.pk), sk: Object(item.sk) },
    UpdateExpression: `SET ${names.map((name) => `${name} = ${name} - :time`).join(', ')}`,
    ExpressionAttributeValues: { ':time': { N: String(RESTORE_TAKES_MS) } },
  });
}

function fieldAt(value: unknown, ...path: string[]): unknown {
  return path.reduce((at, name) => Reflect.get(Object(at), name), value);
}
