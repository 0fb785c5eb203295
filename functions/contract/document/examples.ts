// Request bodies to paste, and the service's recorded replies.
import type * as z from 'zod';
import type { DeleteEntities, ImportEntities, UpdateEntity } from '../entity-changes.ts';
import type { ErrorCode } from '../errors.ts';
import type { CreateArtifactLink } from '../exports.ts';
import type { CreateMonitor, UpdateMonitor } from '../monitors.ts';
import type { RouteName } from '../routes.ts';
import type { CreateRun, RerunRun, ResumeRun } from '../runs.ts';
import type { SyncMessage } from '../sync.ts';
import recorded from './reply-examples.json' with { type: 'json' };

const createRun: z.input<typeof CreateRun> = {
  input_type: 'plan',
  plan: {
    title: 'Companies in Berlin',
    steps: [
      { kind: 'fetch', title: 'Get companies', params: { source: 'companies' } },
      { kind: 'filter', title: 'Keep Berlin', instructions: 'Companies in Berlin', params: { limit_to: 10 } },
      { kind: 'reconstitute', title: 'Write it up', params: { expected_artifacts: ['table', 'text'] } },
    ],
  },
};
const createMonitor: z.input<typeof CreateMonitor> = {
  name: 'Companies in Berlin',
  run: createRun,
  on: { cron: '0 7 * * 1-5', timezone: 'Europe/Berlin' },
  notify: 'changed',
};
const updateMonitor: z.input<typeof UpdateMonitor> = { status: 'paused' };
const importEntities: z.input<typeof ImportEntities> = {
  records: [
    { type: 'order', name: 'Order 25', fields: { total: 99.5, paid: true }, external_uri: 'shop:25' },
    { type: 'order', name: 'Order 26', fields: { total: 12 }, external_id: '26', source: 'custom' },
  ],
};
const updateEntity: z.input<typeof UpdateEntity> = { fields: { paid: true, note: null } };
const deleteEntities: z.input<typeof DeleteEntities> = {
  type: 'order',
  where: { field: 'total', op: '<', value: 20 },
};
const resumeRun: ResumeRun = {};
const rerunRun: RerunRun = { step_index: 1 };
const artifactLink: z.input<typeof CreateArtifactLink> = { format: 'csv', expires_in_seconds: 3600 };
const syncMessage: SyncMessage = {
  resource: { type: 'company', id: 'C-17' },
  operation: 'update',
  timestamp: '2026-11-20T12:00:00Z',
  data: { type: 'company', id: 'C-17', attributes: { name: 'Acme', hq: 'Berlin' } },
  version: 3,
};

/** A table in each format of exports, as the media types of a reply. */
export const textExamples: Readonly<Record<string, string>> = {
  'application/x-ndjson':
    '{"name":"Acme","city":"Berlin","_record":"5f2e1c3a-7b64-4d0e-9c1f-2a8b6d4e0f13"}\n',
  'text/csv': 'name,city,_record\r\nAcme,Berlin,5f2e1c3a-7b64-4d0e-9c1f-2a8b6d4e0f13\r\n',
  'text/markdown':
    '| name | city |\n| --- | --- |\n| [Acme](entity=5f2e1c3a-7b64-4d0e-9c1f-2a8b6d4e0f13) | Berlin |\n',
};

/** An example body for each route that takes one. */
const jobItem = { id: 'acme', name: 'Acme', fields: { score: 7 } };

export const bodyExamples: Readonly<Partial<Record<RouteName, object>>> = {
  CreateRun: createRun,
  ResumeRun: resumeRun,
  RerunRun: rerunRun,
  ImportEntities: importEntities,
  UpdateEntity: updateEntity,
  DeleteEntities: deleteEntities,
  CreateMonitor: createMonitor,
  UpdateMonitor: updateMonitor,
  CreateArtifactLink: artifactLink,
  CreateKey: { name: 'Nightly report', scopes: ['runs:create', 'runs:read'], daily_cost_limit_usd: 5 },
  RotateKey: { grace_seconds: 3600 },
  ProgressJob: { items_done: 3, items_total: 10, message: 'Three of ten are scored.' },
  AddJobItems: { page: 0, items: [jobItem] },
  CompleteJob: { items: [jobItem], usage: { cost_usd: 0.02, input_tokens: 1200, output_tokens: 150 } },
  FailJob: { message: 'The scoring model is away.', retry: true },
  RedeliverFailed: { status: 'failed', created_after: 1_795_132_800_000 },
  ReceiveSync: syncMessage,
};

const replies: Readonly<Record<string, Readonly<Record<string, object>>>> = recorded;

/** A recorded reply of an operation, as the keyword of a media type; empty when none was recorded. */
export function exampleOf(operation: string, status: string): { example?: object } {
  const example = replies[operation]?.[status];
  return example ? { example } : {};
}

/** The first recorded example of these errors, likewise. */
export function errorExample(codes: readonly ErrorCode[]): { example?: object } {
  const example = codes.map((code) => replies.errors?.[code]).find((one) => one !== undefined);
  return example ? { example } : {};
}
