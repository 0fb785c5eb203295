// Descriptions and defaults of the fields whose names are not self-explanatory.
import type { createDocument } from 'zod-openapi';
import { componentName } from '../component-name.ts';
import { limits } from '../limits.ts';
import { paramTexts, stepKinds, stepTable } from '../steps.ts';

export type Schemas = NonNullable<NonNullable<ReturnType<typeof createDocument>['components']>['schemas']>;
type FieldText = string | { description: string; default: unknown };

const defaulted = (description: string, value: unknown): FieldText => ({ description, default: value });
const metadata = 'Pairs of your own; the run carries them.';
const params = paramTexts();
const step = {
  index: 'Unique and ascending; without it, the position in the list. Steps name each other by it.',
  title: 'Shown to whoever watches the run.',
  description: 'Shown to whoever watches the run.',
  instructions: "The only text that the step's model reads.",
};
const steps: Record<string, Record<string, FieldText>> = Object.fromEntries(
  stepKinds.flatMap((kind) => [
    [componentName(kind, 'Params'), { '': stepTable[kind].summary, ...params[kind] }],
    [componentName(kind, 'Step'), step],
  ]),
);

const plans: Record<string, Record<string, FieldText>> = {
  Plan: { '': 'Exact steps, in the order they run.', title: 'Name of the plan.' },
  DossierParams: {
    entity: 'The record the dossier is about; its id is best.',
    sections: defaulted('Headings, in the order wanted.', [
      'Overview',
      'Key attributes',
      'Relationships',
      'Recent activity',
      'Strategic insights',
    ]),
    max_tokens: defaulted('About how long the text may be.', 4000),
  },
};

const runs: Record<string, Record<string, FieldText>> = {
  RunConfig: {
    strict_mode: defaulted('Refuse an ambiguous query; `false` takes the best reading and warns.', true),
    xray: defaulted('Also draw on the global workspace. Scope `config:xray`.', false),
    global_search: defaulted('Search more broadly. Scope `config:global_search`.', false),
    unlimited_transform: defaulted(
      `Let a transform work on up to ${limits.transform_unlimited_items} items. Scope \`config:unlimited_transform\`.`,
      false,
    ),
    max_cost_usd:
      'The run fails with `cost_threshold_exceeded` before a model call once it has cost so much. It can then be resumed with a larger one.',
    callback_url: 'https address that is told when the run ends.',
  },
  CreateQueryRun: { query: 'What is wanted, in plain language; the service plans the steps.', metadata },
  CreatePlanRun: { metadata },
  CreatePresetRun: { metadata },
  Run: {
    completed_at: 'Only once the run has ended.',
    input: 'The input as sent; defaults are not filled in.',
    config: 'The config as sent, with the resolved `callback_url`.',
    steps: 'Empty until there is a plan.',
    message: 'The answer; may hold record links, `[label](kind=id)`. Null until it is known.',
    errors: 'What failed; also failures of single items in a run that succeeded.',
    resumable: 'Whether resume would be accepted: a failed run whose saved plan is intact.',
    resume_count: 'How often the run was resumed.',
    rerun_of: 'The run and step this run was started from.',
    request_id: 'Id of the request that created the run.',
  },
  Usage: {
    calls: 'Successful calls of model providers.',
    unpriced_calls: 'Calls among them without reported usage or a price.',
    cached_input_tokens: "Input tokens read from the provider's cache; part of `input_tokens`.",
    cost_usd: 'Exact sum of the priced calls.',
    credits_at_most: 'Most credits the run can cost, held while it goes on.',
    credits_used: 'Credits charged; null until the run has ended.',
  },
  StepSummary: { items_out: 'Items the step gave on.', attempt: 'How often the step was begun.' },
  RunCheck: {
    steps: 'The steps of the plan; none for a query, which is planned when it runs.',
    credits_at_most: 'Credits that would be held; null where the workspace draws none.',
  },
  CheckedStep: { credits: 'The most that the step can cost.' },
  EventPage: {
    next_cursor: 'On every page; give it back as `cursor` for later events.',
    has_more: 'Whether the next page can be fetched at once.',
  },
  ListedRun: {
    title:
      "The plan's title, the first characters of the query, or the name of the dossier's record. Null on runs from before titles were kept.",
  },
  RunList: {
    next_cursor: 'Null on the last page.',
    has_more: 'Whether there are more runs. A page of long runs ends before `limit`.',
  },
  EventToken: { stream_url: 'Address for browsers that stream without the gateway, where there is one.' },
  RerunRun: {
    step_index: 'Index of the first step to run anew.',
    config: 'Replaces the flags that it names; the others are inherited.',
  },
  ResumeRun: {
    plan: 'Optional; another plan than the saved one is refused.',
    config: 'The one part of the config that a resume can change.',
  },
};

const others: Record<string, Record<string, FieldText>> = {
  Me: {
    expires_at: 'Null for a key that does not expire.',
    daily_cost_limit_usd: 'Null for a key without a limit of its own.',
    cost_today_usd: 'What its runs have cost since the last UTC midnight.',
  },
  KeyWorkspace: {
    runs_in_flight: 'Runs that hold one of `max_concurrent_runs`.',
    cost_today_usd: 'What all its runs have cost since the last UTC midnight.',
    credits_left: 'Credits neither used nor held; null where the workspace draws none.',
    credits_held: 'Credits held for runs in flight; null where the workspace draws none.',
  },
  Error: { '': 'Envelope of every error. What each code means is under `x-error-codes`.' },
  EntityRef: { '': 'A record of the workspace: by id, by URI, or by external id together with its source.' },
  Json: { '': 'Any JSON value.' },
  TableArtifact: {
    rows: 'One object per row, keyed by column; strings are Markdown and may hold record links.',
  },
  TextArtifact: { content: 'Markdown; its only links are record links.' },
  EntityLink: { content_path: 'Dotted path in the content where the record is named, if there is one.' },
  WebhookBody: { occurred_at: 'Epoch seconds, unlike all other times.' },
  SyncMessage: {
    timestamp: 'ISO 8601 time of the change.',
    data: 'The record (push). It wins over `fetch_url`.',
    fetch_url: 'Address to get `data` from (pull). Same rules as for callback URLs.',
    version: 'Grows with each change of the record; an older one is skipped.',
  },
  SyncReply: { processed_workspaces: 'Workspaces in which the message was applied.' },
};

const event: Record<string, FieldText> = {
  id: 'Same as `event_id`.',
  event_id: 'Use it to drop what you have seen, and to resume a stream.',
  sequence: 'Orders the events of a run; means nothing else. Page by cursor.',
};

/**
 * Puts the texts into the schemas, and into their forms as sent, whose names have the suffix. Throws for a text whose component or field
 * does not exist.
 */
export function annotate(schemas: Schemas, asSent: string): void {
  const events = Object.fromEntries(
    Object.keys(schemas)
      .filter((name) => /.Event$/.test(name))
      .map((name) => [name, event]),
  );
  for (const [name, fields] of Object.entries({ ...steps, ...plans, ...runs, ...others, ...events })) {
    const { [name]: schema, [name + asSent]: sent } = schemas;
    if (typeof schema !== 'object') throw new Error(`document/fields.ts: there is no schema ${name}`);
    describe(name, schema, fields);
    if (typeof sent === 'object') describe(name, sent, fields);
  }
}

function describe(name: string, schema: object, fields: Record<string, FieldText>): void {
  const properties: object = Reflect.get(schema, 'properties') ?? {};
  for (const [field, text] of Object.entries(fields)) {
    const target = field === '' ? schema : Reflect.get(properties, field);
    if (typeof target !== 'object') throw new Error(`document/fields.ts: ${name} has no field ${field}`);
    Object.assign(target, typeof text === 'string' ? { description: text } : text);
  }
}
