// `create`: a run from a query, a plan, a record or a complete request.
import type { CreateRun, OutputSchema, RunCheck } from '../../sdk/index.ts';
import { entityRef, pair, setting } from '../argument-parsers.ts';
import { counted } from '../output/amounts.ts';
import { columnsText } from '../output/columns.ts';
import { misuse } from '../problem.ts';
import type { Context } from '../surroundings.ts';
import {
  answer,
  commonFlags,
  repeatedFlag,
  say,
  serviceOf,
  switchFlag,
  text,
  textFlag,
  valueFlag,
} from './command.ts';
import { command, type ValuesOf } from './define.ts';
import { readJson } from './json-input.ts';
import { checkWaiting, started, waitingFlags } from './waiting.ts';

/** A repeatable `key=value` flag of a run's config. */
export const configFlag = repeatedFlag(
  setting,
  'KEY=VALUE',
  'a setting of the run, such as strict_mode=false or timeout_seconds=600',
);

const flags = {
  query: textFlag('TEXT', 'ask in words'),
  plan: textFlag('FILE', 'a plan as JSON; - is standard input'),
  dossier: valueFlag(entityRef, 'REF', 'a dossier of a record: id, scheme:path or source=ID'),
  section: repeatedFlag(text, 'HEADING', 'a section of the dossier, in order'),
  outputSchema: textFlag('FILE', 'a JSON Schema that the data of the answer conform to; - is standard input'),
  body: textFlag('FILE', 'a whole request as JSON; - is standard input'),
  config: configFlag,
  metadata: repeatedFlag(pair, 'KEY=VALUE', 'metadata to find the run by'),
  callback: textFlag('URL', 'where the webhook of its end goes'),
  idempotencyKey: textFlag('KEY', 'repeating a create with this key gives the same run'),
  dryRun: switchFlag('check the request and say what it may cost; nothing is created'),
  ...waitingFlags,
  ...commonFlags,
};

type Flags = ValuesOf<typeof flags>;

export const create = command(
  {
    brief: 'create a run and optionally follow it',
    customUsage: [
      '-q TEXT | --plan FILE | --dossier REF | --body FILE',
      '… --output-schema FILE --watch | --wait [--timeout 10m] | --dry-run',
      '… --config KEY=VALUE --metadata KEY=VALUE --callback URL --idempotency-key KEY',
    ],
    flags,
    aliases: { q: 'query' },
  },
  async (context, flags) => {
    checkWaiting(flags);
    const body = await bodyOf(context, flags);
    const service = serviceOf(context, flags);
    const options = { signal: context.interrupted };
    if (flags.dryRun) {
      if (flags.watch || flags.wait) throw misuse('--dry-run creates nothing to wait for');
      const check = await service.runs.check(body, options);
      answer(context, flags, check, () => checkText(check));
      return 'ok';
    }
    const { idempotencyKey } = flags;
    const { replayed, ...run } = await service.runs.create(body, {
      ...options,
      ...(idempotencyKey && { idempotencyKey }),
    });
    if (replayed) say(context, 'this run was already created with the same idempotency key');
    return started(context, service, run, flags);
  },
);

/** The request. Throws Problem unless exactly one flag says what to run. */
async function bodyOf(context: Context, flags: Flags): Promise<CreateRun> {
  const given = (['query', 'plan', 'dossier', 'body'] as const).filter((name) => flags[name] !== undefined);
  if (given.length !== 1)
    throw misuse('say what to run with one of -q TEXT, --plan FILE, --dossier REF, --body FILE');
  const { query, plan, dossier, body, section } = flags;
  if (section && !dossier) throw misuse('--section goes with --dossier');
  const common = commonOf(flags);
  if (flags.outputSchema !== undefined && query === undefined && plan === undefined)
    throw misuse('--output-schema goes with -q or --plan');
  if (body !== undefined) {
    if (Object.keys(common).length > 0)
      throw misuse('--body is the complete request; put config, metadata and callback_url into it');
    // The service validates it.
    return (await readJson(context, body, '--body')) as CreateRun;
  }
  const asked = { ...common, ...(await schemaOf(context, flags)) };
  if (plan !== undefined) return { input_type: 'plan', plan: await planOf(context, plan), ...asked };
  if (query !== undefined) return { input_type: 'query', query, ...asked };
  if (!dossier) throw misuse('--dossier needs a record');
  return {
    input_type: 'preset',
    preset: 'dossier',
    params: { entity: dossier, ...(section && { sections: [...section] }) },
    ...common,
  };
}

type Plan = Extract<CreateRun, { input_type: 'plan' }>['plan'];

async function planOf(context: Context, file: string): Promise<Plan> {
  const found = await readJson(context, file, '--plan');
  if ('input_type' in found) throw misuse(`${file} is a complete request; pass it with --body`);
  // The service validates it.
  return found as Plan;
}

async function schemaOf(
  context: Context,
  { outputSchema, plan }: Flags,
): Promise<{ output_schema?: OutputSchema }> {
  if (outputSchema === undefined) return {};
  if (outputSchema === '-' && plan === '-') throw misuse('only one of --plan and --output-schema can be -');
  // The service validates it.
  return { output_schema: (await readJson(context, outputSchema, '--output-schema')) as OutputSchema };
}

function commonOf({
  config,
  metadata,
  callback,
}: Flags): Pick<CreateRun, 'config' | 'metadata' | 'callback_url'> {
  return {
    ...(config && { config: Object.fromEntries(config) }),
    ...(metadata && { metadata: Object.fromEntries(metadata) }),
    ...(callback !== undefined && { callback_url: callback }),
  };
}

function checkText({ steps, credits_at_most }: RunCheck): string {
  const rows = steps.map(({ index, kind, title, credits }) => [
    `step ${index + 1}`,
    kind,
    title,
    counted(credits, 'credit'),
  ]);
  const most =
    credits_at_most === null ? 'draws no credits' : `at most ${counted(credits_at_most, 'credit')}`;
  return `${columnsText(rows)}valid, ${most}\n`;
}
