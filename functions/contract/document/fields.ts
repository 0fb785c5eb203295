// Descriptions and defaults of fields whose names do not explain themselves.
import type { createDocument } from 'zod-openapi';
import { componentName } from '../component-name.ts';
import { limits } from '../limits.ts';
import { outputLimits } from '../output-schema.ts';
import { paramTexts } from '../param-texts.ts';
import { stepKinds, stepTable } from '../steps.ts';
import { stepExamples } from './step-examples.ts';

export type Schemas = NonNullable<NonNullable<ReturnType<typeof createDocument>['components']>['schemas']>;
type FieldText = string | { description: string; default: unknown };

const defaulted = (description: string, value: unknown): FieldText => ({ description, default: value });
const metadata = 'Your own key-value pairs; the run carries them.';
const output_schema =
  'What the data of the answer look like: `output` conforms to it. Needs a step `reconstitute`, the last of which writes the data.';
const step = {
  index: 'Unique and ascending; defaults to the position in the list. Steps refer to each other by it.',
  title: 'Shown to people who watch the run.',
  description: 'Shown to people who watch the run.',
  instructions: "The only text that the step's model reads.",
};
const steps: Record<string, Record<string, FieldText>> = Object.fromEntries(
  stepKinds.flatMap((kind) => [
    [componentName(kind, 'Params'), { '': stepTable[kind].summary, ...paramTexts[kind] }],
    [componentName(kind, 'Step'), step],
  ]),
);

const plans: Record<string, Record<string, FieldText>> = {
  Plan: { '': 'Exact steps, in the order they run.', title: 'Name of the plan.' },
  DossierParams: {
    entity: 'The record that the dossier is about, preferably by its id.',
    sections: defaulted('Headings, in the order you want.', [
      'Overview',
      'Key attributes',
      'Relationships',
      'Recent activity',
      'Strategic insights',
    ]),
    max_tokens: defaulted('Approximate length of the text.', 4000),
  },
};

const deadlineText = {
  timeout_seconds:
    'Seconds that the run may take from its start or resume; time in maintenance does not count. Past it nothing new begins: the run fails with `run_timed_out`, unless it has nothing left to do. It can then be resumed.',
  start_within_seconds:
    'A run still pending after this time fails with `run_timed_out`. It counts from the creation or the resume.',
  model_wait_seconds:
    'Seconds that the run waits in all while no model can be asked. Then it fails with `model_unavailable`, and can be resumed.',
};

const runs: Record<string, Record<string, FieldText>> = {
  ResumeConfig: {
    max_cost_usd: 'Another limit of the cost of the run.',
    ...deadlineText,
  },
  RunConfig: {
    strict_mode: defaulted('Refuse an ambiguous query; `false` takes the best reading and warns.', true),
    xray: defaulted('Also draw on the global workspace. Scope `config:xray`.', false),
    global_search: defaulted('Search more broadly. Scope `config:global_search`.', false),
    unlimited_transform: defaulted(
      `Let a transform work on up to ${limits.transform_unlimited_items} items. Scope \`config:unlimited_transform\`.`,
      false,
    ),
    max_cost_usd:
      'Once the run has cost this much, it fails before its next model call; the code is `cost_threshold_exceeded`. It can then be resumed with a larger limit.',
    timeout_seconds: deadlineText.timeout_seconds,
    start_within_seconds: deadlineText.start_within_seconds,
    model_wait_seconds: deadlineText.model_wait_seconds,
    retain_seconds:
      'The run is deleted this long after it ends. Without it a run is stored as long as the stage says.',
    keep_calls: defaulted(
      'Keep the prompt and answer of each model call. They are in `GET /runs/{id}/calls`.',
      false,
    ),
    callback_url: 'https address that is notified when the run ends.',
  },
  SavedCall: {
    step_index: '-1 for the understanding and the planning of a query.',
    attempt: 'The attempt of the step: 1, and one more after each resume.',
    call: 'The position of the call in its step, from 0. A repeated request has the same.',
    task: 'What was asked; `reconstitute` is the answer, in words or as data.',
    answer: 'As it came, before anything is made of it. Null without an answer.',
    usage: 'Null without readable usage.',
    outcome:
      '`answered`, `repaired` (an answer to a complaint about the one before), or why it failed: `away`, `refused`, `cut_off`, `filtered` (by the provider) or `unusable`.',
  },
  StepItem: {
    id: 'Of a record, the id of the record. Null for groups, which are made by the step.',
    fields: 'As the step left them. Strings are plain text, not Markdown as in the cells of a table.',
    score: 'How well the item fits, 0 to 1, where the step says so.',
  },
  UsageRow: {
    day: 'With `day` in `by`: the UTC day on which the runs were created.',
    key_id: 'With `key`: the key that created them.',
    status: 'With `status`: the one that they have now.',
    monitor_id: 'With `monitor`: the monitor whose fire made them; null: none.',
    model: 'With `model`: the model of their first call; null: they have made none.',
    p50_ms:
      'Half of those that ended took at most this long. Exact for up to 1,000 runs of a day, else to two digits.',
    p95_ms: 'The same for 95 %. Null while none has ended.',
  },
  StepItemList: { total: 'How many items there are on all pages.' },
  CreateQueryRun: {
    query: 'What you want, in plain language; the service plans the steps.',
    output_schema,
    metadata,
  },
  CreatePlanRun: { output_schema, metadata },
  CreatePresetRun: { metadata },
  Run: {
    waiting: 'What a paused run waits for, else null.',
    completed_at: 'Present once the run has ended.',
    input: 'The input as sent; defaults are not filled in.',
    config: 'The config as sent, with the resolved `callback_url`.',
    steps: 'Empty until there is a plan.',
    message: 'The answer. It may contain record links, `[label](kind=id)`. Null until it is known.',
    output:
      'The answer as data; only on runs with `output_schema`. Null until it is known. Lists do not have it.',
    errors: 'What failed, including single items in a run that succeeded.',
    resumable: 'Whether the run can be resumed: it failed and its saved plan is intact.',
    resume_count: 'How many times the run was resumed.',
    rerun_of: 'The run and step that this run was started from.',
    request_id: 'Id of the request that created the run.',
    plan: 'Only with `include=plan`: the plan that the run follows, as `POST /runs` takes it. Null until there is one.',
    understood_as:
      'Only with `include=plan`, on runs of a query: what the plan does, in words. Null until there is one.',
  },
  OutputSchema: {
    '': `The part of JSON Schema that describes answers. The root is an \`object\`; every schema has a \`type\` or an \`enum\`; other keywords are refused, and so are bounds that no value can meet. What Zod and Pydantic print is expanded: \`$schema\`, \`$defs\` and \`$ref\`, \`anyOf\` of one type and null, \`const\`, \`default\`. At most ${outputLimits.schema_max_bytes / 1024} KB as compact JSON, ${outputLimits.schema_depth_max} levels (\`properties\` and \`items\` each add one) and ${outputLimits.schema_properties_max} properties in all.`,
    type: 'One type, or a list of one type and `null`; `null` alone only in `anyOf`.',
    $defs: 'At the root: schemas that `$ref` names.',
    $ref: '`#/$defs/NAME`: the schema of that name, which cannot contain itself. Only `title`, `description` and `default` may stand beside it.',
    anyOf: 'One schema and `{"type": "null"}`: the same as its type and null.',
    const: 'The same as an `enum` of one value.',
    default: 'Ignored: every value comes from what the run read.',
    $schema: 'Ignored; only at the root.',
    required: 'Names that stand in `properties`.',
    items: 'Required for an array.',
    additionalProperties: 'It is `false` anyway.',
  },
  RunOutput: {
    data: `Conforms to \`output_schema\`; at most ${outputLimits.data_max_bytes / 1024} KB.`,
    basis: 'An entry for each scalar of `data` that is not null, in the order of the document.',
  },
  BasisEntry: {
    path: 'The value in `data`, as a JSON Pointer.',
    kind: '`record`: a field of a record as the run read it, filled in by the service. `group`: a grouped field or a measure. `count`: a number of items that the service counted. `model`: written by a model.',
    entity_id: 'The record.',
    field: 'Path of the field, as conditions name it.',
    step_index: 'The step that yielded or wrote it.',
  },
  OutputIssueDetails: { path: 'A place of the data, as a JSON Pointer; empty for all of them.' },
  Usage: {
    calls: 'Successful calls of model providers.',
    unpriced_calls: 'Of these, calls without reported usage or a price.',
    cached_input_tokens: "Input tokens read from the provider's cache; part of `input_tokens`.",
    cost_usd: 'Exact sum of the priced calls.',
    models: 'The same by model, in the order of their first use.',
    credits_at_most: 'The most credits that the run can cost, reserved until it ends.',
    credits_used: 'Credits charged; null until the run has ended.',
    simulated: 'Present where the offline model rehearses: this cost is not real.',
  },
  StepSummary: {
    items_out: 'Items that the step passed on.',
    attempt: 'How many times the step was started.',
  },
  RunCheck: {
    steps: 'The steps of the plan; none for a query, which is planned when it runs.',
    credits_at_most: 'Credits that would be reserved; null if the workspace has no credits.',
  },
  CheckedStep: { credits: 'The most that the step can cost.' },
  EventPage: {
    next_cursor: 'On every page; pass it back as `cursor` to get later events.',
    has_more: 'Whether the next page can be fetched at once.',
  },
  ListedRun: {
    title:
      "The plan's title, the first characters of the query, or the name of the dossier's record. Null if the run has none.",
  },
  RunList: {
    next_cursor: 'Null on the last page.',
    has_more: 'Whether there are more runs. A page of long runs ends before `limit`.',
  },
  EventToken: { stream_url: 'Address for streaming in browsers without the gateway, if the stage has one.' },
  RerunRun: {
    step_index: 'Index of the first step to run again.',
    config: 'Replaces the flags that it sets; the others are inherited.',
  },
  ResumeRun: {
    plan: 'Optional; another plan than the saved one is refused.',
    config: 'The one part of the config that a resume can change.',
  },
};

const monitors: Record<string, Record<string, FieldText>> = {
  ScheduleTrigger: {
    cron: 'Minute, hour, day, month and weekday: `*`, numbers, lists, ranges and steps. Of a day and a weekday either holds; 0 and 7 are Sunday.',
    timezone: defaulted('Name of an IANA time zone, whose local time the pattern is.', 'UTC'),
  },
  RecordChange: {
    types: 'Types of records whose changes count.',
    where: 'Only records that meet it, before or after the change.',
    settle_seconds: defaulted(
      'How long after the last change the monitor fires; ten times that after the first at the latest.',
      limits.monitor_settle_default_seconds,
    ),
  },
  CreateMonitor: {
    run: 'What each fire runs: a body of `POST /runs` with at most 15 pairs of metadata.',
    on: 'When it fires: by the clock, or on a change of records.',
    overlap: defaulted(
      'A fire while the last run has not ended: `skip` leaves it out, `queue` makes its run when that one has ended, `replace` cancels that one.',
      'skip',
    ),
    catch_up_seconds: defaulted(
      'How late a due time may still fire after the service could not.',
      limits.monitor_catch_up_default_seconds,
    ),
    notify: defaulted(
      '`changed` compares each run with the last succeeded one, and sends its webhook only if they differ or the run fails.',
      'every',
    ),
  },
  Monitor: {
    key_id: 'The key whose runs the fires are: the one that sent `run` last, or the successor of that one.',
    next_fire_at: 'The next due time; null while paused, and on a change.',
    last_fire: 'The newest fire; null if there is none.',
  },
  Fire: {
    due_at: 'When it was due; of missed due times the first.',
    fired_at: 'When it was decided.',
    reason: 'Why there is no run: `overlap`, `missed`, `paused` or the code of the refusal.',
    until: 'The last of the missed due times.',
    count: 'How many due times were missed.',
    changes: 'Records that differ from the last succeeded run, where the monitor compares.',
  },
};

const others: Record<string, Record<string, FieldText>> = {
  Me: {
    expires_at: 'Null for a key that does not expire.',
    daily_cost_limit_usd: 'Null for a key without its own limit.',
    cost_today_usd:
      'What its runs have cost since the last UTC midnight; of a key with a limit, also those of the keys that descend from it.',
  },
  WorkspaceDelivery: { created_at: 'When the run ended that it reports.' },
  Redelivered: {
    redelivered: 'How many deliveries have a new attempt due.',
    has_more: 'Whether more failed deliveries remain.',
  },
  CreateKey: {
    name: 'Shown in lists; several keys may have the same one.',
    expires_at: 'Epoch milliseconds in the future; absent: the key does not expire.',
    daily_cost_limit_usd:
      'What its runs, and those of all keys that descend from it, may cost on a UTC day; absent: as much as the workspace.',
  },
  RotateKey: {
    grace_seconds: defaulted('How long the old key still works.', limits.key_grace_default_seconds),
  },
  Key: {
    expires_at: 'Null for a key that does not expire. Of a rotated key, the end of its grace.',
    successor_of: 'The key that it replaces; null if it replaces none.',
    last_used_day: 'UTC day of its last request; null if it was never used.',
  },
  NewKey: { api_key: 'The text of the key, for the Authorization header. No other reply has it.' },
  AuditEntry: {
    actor: 'Id of the key, or `admin` for an administrator.',
    target:
      'The key, the run (of a rerun the new one), the event id of the delivery, the entity (`*` for many) or the workspace.',
    count: 'How many entities were created or updated, or deleted.',
    request_id: 'Id of the request that made the change.',
  },
  KeyModel: {
    name: 'The first of the models that is not away.',
    available: 'Whether one of them is not away. A query is refused, and a run waits, while none is.',
    retry_at: 'When they are tried again; only while all are away.',
    simulated: 'Whether the model only rehearses: its answers follow rules, and its cost is not real.',
  },
  EntityField: {
    field: 'Path of the field, as conditions name it.',
    kinds:
      'What its values are. A nested object is described by its members; an empty one is of kind `object`. A field is of kind `date` alone where every value is a text that is one, as `2026-05-11` or as of RFC 3339; conditions compare it as a string.',
    count: 'How many records of the type have it.',
    min: 'Least of its numbers; of kind `date`, the earliest as it is written.',
    max: 'Greatest of its numbers; of kind `date`, the latest as it is written.',
    samples: 'Some of its values; of a list, some elements. Long texts are cut.',
  },
  EntityLine: {
    id: 'The record that it changes, or the id of a new one.',
    fields: 'In place of those of the record; absent: these stay.',
    source: 'The system that `external_id` is of. Without it `external_id` names no record.',
    occurrence:
      'Of a line without id, `external_uri`, or `external_id` with `source`: its number among the lines of its type and name. Absent: counted in the request.',
  },
  ImportEntities: {
    update:
      'Whether lines change records that exist (the default). False: these are left as they are, and count as unchanged.',
    dry_run: 'Whether nothing is written.',
  },
  ImportedEntities: {
    imported: 'Lines that were taken: created, updated and unchanged.',
    errors: 'Lines that were left out.',
  },
  LineError: {
    index: 'Index of the line in `records`.',
    path: 'Dotted path of what is wrong in the line; empty for the line itself.',
  },
  UpdateEntity: {
    fields: 'Merged into those of the record; null takes a field away.',
    external_uri: 'Null takes it away.',
  },
  DeleteEntities: { ids: 'Those that are not there are passed over.' },
  DeletedEntities: { has_more: 'Whether more such records are left.' },
  EntityRelationship: { direction: '`out`: the relationship begins at this record.' },
  KeyWorkspace: {
    runs_in_flight: 'Runs that count toward `max_concurrent_runs`.',
    cost_today_usd: 'What all its runs have cost since the last UTC midnight.',
    credits_left: 'Credits neither used nor reserved; null if the workspace has no credits.',
    credits_held: 'Credits reserved for runs in flight; null if the workspace has no credits.',
  },
  Error: { '': 'Envelope of every error. What each code means is under `x-error-codes`.' },
  EntityRef: { '': 'A record of the workspace: by id, by URI, or by external id together with its source.' },
  Json: { '': 'Any JSON value.' },
  TableArtifact: {
    rows: 'One object per row, keyed by column; strings are Markdown and may contain record links.',
  },
  TextArtifact: { content: 'Markdown; its only links are record links.' },
  CreateArtifactLink: {
    expires_in_seconds: defaulted('How long the link works.', limits.artifact_link_default_seconds),
    format: 'The format that the link opens in, by default JSON.',
    bom: '1: CSV begins with a byte order mark, for Excel. Only with `format` `csv`.',
  },
  ArtifactLink: { url: 'Everyone who has it can read the artifact.', expires_at: 'When it stops working.' },
  EntityLink: { content_path: 'Dotted path in the content where the record is named, if any.' },
  JobRequested: { '': 'What a worker is sent.', token: 'Answers under `job_url`, as a bearer.' },
  QuestionRequested: {
    '': 'What the `notify_url` of a question is sent.',
    answer_url: 'Where a person answers it, without a key.',
  },
  JobCanceled: { '': 'The run has closed the job: nothing that comes for it counts any more.' },
  WebhookBody: { occurred_at: 'Epoch seconds, unlike all other times.' },
  SyncMessage: {
    timestamp: 'ISO 8601 time of the change.',
    data: 'The record (push). It takes precedence over `fetch_url`.',
    fetch_url: 'Address from which to fetch `data` (pull). Same rules as for callback URLs.',
    version: 'Grows with each change of the record; an older one is skipped.',
  },
  SyncReply: { processed_workspaces: 'Workspaces in which the message was applied.' },
};

const event: Record<string, FieldText> = {
  id: 'Same as `event_id`.',
  event_id: 'Use it to drop duplicates and to resume a stream.',
  sequence: 'Orders the events of a run and has no other meaning. Page by cursor.',
};

/**
 * Adds the texts to the schemas and to their as-sent forms, whose names have the suffix. Throws for a text whose
 * component or field does not exist.
 */
export function annotate(schemas: Schemas, asSent: string): void {
  const events = Object.fromEntries(
    Object.keys(schemas)
      .filter((name) => /.Event$/.test(name))
      .map((name) => [name, event]),
  );
  for (const [name, fields] of Object.entries({
    ...steps,
    ...plans,
    ...runs,
    ...monitors,
    ...others,
    ...events,
  })) {
    const { [name]: schema, [name + asSent]: sent } = schemas;
    if (typeof schema !== 'object') throw new Error(`document/fields.ts: there is no schema ${name}`);
    describe(name, schema, fields);
    if (typeof sent === 'object') describe(name, sent, fields);
  }
  for (const kind of stepKinds)
    Object.assign(schemas[componentName(kind, 'Step')] ?? {}, { examples: [stepExamples[kind]] });
}

function describe(name: string, schema: object, fields: Record<string, FieldText>): void {
  const properties: object = Reflect.get(schema, 'properties') ?? {};
  for (const [field, text] of Object.entries(fields)) {
    const target = field === '' ? schema : Reflect.get(properties, field);
    if (typeof target !== 'object') throw new Error(`document/fields.ts: ${name} has no field ${field}`);
    Object.assign(target, typeof text === 'string' ? { description: text } : text);
  }
}
