// Descriptions and defaults of every path, query and header parameter.
import { limits } from '../limits.ts';
import type { RouteName } from '../routes.ts';

interface ParameterText {
  description: string;
  default?: number | string;
  example?: string | string[];
}

const common: Readonly<Record<string, ParameterText>> = {
  id: { description: 'Id of the run.' },
  event_id: { description: 'Id of the event that the webhook reports.' },
  bridge_id: { description: 'Id of the bridge.' },
  validate_only: {
    description:
      '`1` makes every check except capacity and creates nothing: no run, no claim on a key, no model call.',
    default: '0',
  },
  cursor: { description: '`next_cursor` of an earlier page, unchanged; any other value is 422.' },
  status: { description: 'Only runs in one of these states.', example: ['failed', 'canceled'] },
  created_after: { description: 'Only runs created after this time, epoch milliseconds.' },
  created_before: { description: 'Only runs created before this time, epoch milliseconds.' },
  metadata: { description: 'Only runs with this pair of metadata, as `key:value`.', example: 'team:growth' },
  input_type: { description: 'Only runs of this kind of input.' },
  'keep-open': {
    description: `\`1\` waits up to ${limits.keep_open_ms / 1000} seconds for an event instead of returning an empty page; \`0\` answers at once.`,
    default: '0',
  },
  event_token: { description: 'A token of this run; it replaces the Authorization header.' },
  last_event_id: { description: 'Start after this event; the header `Last-Event-ID` takes precedence.' },
  max_ms: {
    description: 'How long the stream lasts at most, in milliseconds.',
    default: limits.stream_max_duration_ms,
  },
  'Last-Event-ID': { description: 'Start after this event. Browsers send it when they reconnect.' },
  include: { description: '`links` adds `entity_refs`.' },
  query: { description: 'Part of a name, as someone types it.', example: 'acme' },
  type: { description: 'Only records of this type, as spelled on them.', example: 'company' },
  refs: {
    description: `JSON array, URL-encoded, of 1 to ${limits.resolve_max_refs} entity references.`,
    example: '[{"external_uri":"crm:acme"}]',
  },
  'Idempotency-Key': {
    description: `1 to ${limits.idempotency_key_max_characters} printable ASCII characters of your choice, new for each new run.`,
  },
  traceparent: {
    description: 'W3C trace context: the trace of the run continues it. A malformed one is ignored.',
  },
  'X-Webhook-Timestamp': {
    description: `ISO 8601 time of sending, at most ${limits.sync_timestamp_age_ms / 60_000} minutes off.`,
  },
};

const entity = { id: { description: 'Id of the entity.' } };
const job = { id: { description: 'Id of the job.' } };
const monitor = { id: { description: 'Id of the monitor.' } };

const own: Partial<Record<RouteName, Readonly<Record<string, ParameterText>>>> = {
  ListRuns: { limit: { description: 'Runs per page.', default: limits.runs_page_default } },
  ListAllDeliveries: {
    status: { description: 'Only deliveries in this state.', example: 'failed' },
    created_after: { description: 'Only deliveries created after this time, epoch milliseconds.' },
    created_before: { description: 'Only deliveries created before this time, epoch milliseconds.' },
    limit: { description: 'Deliveries per page.', default: limits.deliveries_page_default },
  },
  RotateKey: { id: { description: 'Id of the key.' } },
  RevokeKey: { id: { description: 'Id of the key.' } },
  ListCalls: {
    step_index: {
      description: 'Only calls of this step; -1: of the understanding and planning of a query.',
    },
    limit: { description: 'Calls per page.', default: limits.calls_page_default },
  },
  ListStepItems: {
    index: { description: 'The index of the step, as in `steps` of the run.', example: '0' },
    which: {
      description: '`dropped`: what a `filter` did not pass on; 422 for another kind of step.',
      default: 'out',
    },
    offset: { description: 'Items to skip.', default: 0 },
    limit: { description: 'The most items.', default: limits.step_items_page_default },
  },
  ListAudit: { limit: { description: 'Entries per page.', default: limits.audit_page_default } },
  GetUsage: {
    from: {
      description: `The first day, in UTC. Without it, as many days before \`to\` as make ${limits.usage_days_default} with it.`,
      example: '2026-11-01',
    },
    to: {
      description: `The last day, which counts as well; today without it. At most ${limits.usage_days_max} days in all.`,
    },
    by: {
      description:
        'By what runs are grouped: one or two of `day`, `key`, `status`, `input_type`, `monitor` and `model`, separated by a comma. Without it, by `day`.',
    },
  },
  SearchEntities: {
    limit: { description: 'Maximum number of records.', default: limits.entities_page_default },
  },
  ListEvents: { limit: { description: 'Events per page.', default: limits.events_page_default } },
  GetRun: { include: { description: '`plan` adds `plan` and, on runs of a query, `understood_as`.' } },
  ListJobs: {
    status: { description: 'Only jobs in this state; an open one past its deadline is `timed_out`.' },
    kind: { description: 'Only jobs of workers (`job`), or questions to people (`person`).' },
    source: { description: 'Only jobs of this source.' },
    run_id: { description: 'Only jobs of this run.' },
    limit: { description: 'Jobs per page.', default: limits.jobs_page_default },
  },
  GetJob: job,
  ProgressJob: job,
  AddJobItems: job,
  CompleteJob: job,
  FailJob: job,
  ListMonitors: { limit: { description: 'Monitors per page.', default: limits.monitors_page_default } },
  GetMonitor: monitor,
  UpdateMonitor: monitor,
  DeleteMonitor: monitor,
  FireMonitor: monitor,
  ListFires: {
    ...monitor,
    limit: { description: 'Fires per page.', default: limits.monitors_page_default },
  },
  GetEntity: entity,
  UpdateEntity: entity,
  DeleteEntity: entity,
  GetArtifact: {
    id: { description: 'Id of the artifact.' },
    format: { description: 'Takes precedence over `Accept`. A format that the kind does not have is 422.' },
    fields: { description: 'Only these columns, in this order.', example: ['name', 'city'] },
    offset: { description: 'Rows to skip.', default: 0 },
    limit: { description: 'The most rows; all by default.' },
    formulas: {
      description:
        "In `csv`, a text that a spreadsheet would compute begins with `'`; `keep` leaves it as it is.",
    },
    bom: {
      description: '`1`: CSV begins with a byte order mark, by which Excel knows UTF-8. Only with `csv`.',
    },
    link: {
      description:
        'The signature of a link; it replaces the Authorization header, and no other parameter goes with it.',
    },
  },
  CreateArtifactLink: { id: { description: 'Id of the artifact.' } },
  GetNote: { id: { description: 'Id of the note.' } },
};

/** Text of a route's parameter. Throws when there is none: every parameter is documented. */
export function parameterText(route: RouteName, name: string): ParameterText {
  const text = own[route]?.[name] ?? common[name];
  if (!text) throw new Error(`parameter ${name} of ${route} has no text in document/parameters.ts`);
  return text;
}
