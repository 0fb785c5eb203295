// The command line of the local service: its flags and its usage page.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type * as z from 'zod';
import { type ModelsFile, parseModelsFile } from '../../../functions/contract/model-endpoints.ts';
import {
  ModelListSetting,
  ModelSetting,
  modelName,
  type PriceTable,
  parseModelList,
  parsePriceTable,
} from '../../../functions/contract/models.ts';
import { builtInPrices } from '../../../functions/contract/prices.ts';
import { messageOf, parseObject } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import { columns, flagProblem } from './usage-text.ts';

/** The validated flags of a start. */
export interface Flags {
  port: number;
  host: string;
  dataDir: string;
  reset: boolean;
  seed: boolean;
  allowLocalCallbacks: boolean;
  model: string;
  /** Undefined: the offline embedding. */
  embedding: string | undefined;
  /** The parsed price table; undefined for the built-in one. */
  prices: PriceTable | undefined;
  /** The models file, instead of the three. */
  models: ModelsFile | undefined;
  /** Whether each endpoint is asked at the start. */
  checksModels: boolean;
  dynamodbEndpoint: string | undefined;
  /** The collector of traces; undefined sends none. */
  otlpEndpoint: string | undefined;
  /** Whether `GET /metrics` is served. */
  metrics: boolean;
}

/** What the flags say of models. */
export type ModelFlags = Pick<Flags, 'model' | 'embedding' | 'prices' | 'models'>;

/** Each flag for the parser and the usage page; `value` is its placeholder there. */
const options = {
  port: { type: 'string', default: '8787', value: 'N', help: 'HTTP port' },
  host: { type: 'string', default: '127.0.0.1', value: 'H', help: 'address to listen on' },
  'data-dir': {
    type: 'string',
    default: '.local',
    value: 'D',
    help: 'folder of all state; a restart on the same folder continues where it stopped',
  },
  reset: { type: 'boolean', default: false, help: 'empty the data folder first' },
  'no-seed': { type: 'boolean', default: false, help: 'start without the demo workspace' },
  'allow-local-callbacks': {
    type: 'boolean',
    default: false,
    help: 'let callback_url and fetch_url be http(s) on loopback; only possible on one machine',
  },
  model: {
    type: 'string',
    value: 'SPEC',
    help: 'offline, bedrock:<model id> or openai:<model>@<base url>; up to 4 with commas answer in turn (default offline)',
  },
  embedding: {
    type: 'string',
    value: 'SPEC',
    help: 'the same, for the embeddings of vector_search (default offline)',
  },
  prices: {
    type: 'string',
    value: 'FILE',
    help: 'JSON price table in USD per million tokens, instead of the built-in one',
  },
  models: {
    type: 'string',
    value: 'FILE',
    help: 'endpoints with keys and prices, a model per task, embeddings: instead of the three above',
  },
  'no-model-check': {
    type: 'boolean',
    default: false,
    help: 'leave out the call to each endpoint at the start',
  },
  'dynamodb-endpoint': {
    type: 'string',
    value: 'URL',
    help: 'a DynamoDB-compatible endpoint instead of the embedded engine',
  },
  'otlp-endpoint': {
    type: 'string',
    value: 'URL',
    help: 'an OpenTelemetry collector that gets the trace of each run when it has ended',
  },
  metrics: { type: 'boolean', default: false, help: 'serve GET /metrics to programs on this machine' },
} as const;

/** The page of `--help`, for a command that is called so. */
export function usagePage(call: string): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const preset = 'default' in option && option.default ? ` (default ${option.default})` : '';
    return [`--${name}${'value' in option ? ` ${option.value}` : ''}`, option.help + preset] as const;
  });
  return `Usage: ${call} [flags]

Starts the whole service on this machine, without an account and without a network.

${columns([...rows, ['--help', 'print this page']])}`;
}

/** Reads the flags. Throws SetupError with a one-line message (rules.md: local 4). */
export function readFlags(args: string[]): Flags {
  const { values } = parse(args);
  for (const name of ['host', 'data-dir'] as const)
    if (values[name] === '') throw new SetupError(`--${name} needs a value`);
  return {
    port: portOf(values.port),
    host: values.host,
    dataDir: values['data-dir'],
    reset: values.reset,
    seed: !values['no-seed'],
    allowLocalCallbacks: values['allow-local-callbacks'],
    ...modelsOf(values),
    checksModels: !values['no-model-check'],
    dynamodbEndpoint: httpUrl(values['dynamodb-endpoint'], '--dynamodb-endpoint'),
    otlpEndpoint: httpUrl(values['otlp-endpoint'], '--otlp-endpoint'),
    metrics: values.metrics,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: false, strict: true });
  } catch (error) {
    throw new SetupError(flagProblem(error, Object.keys(options)));
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SetupError(`--port must be a number from 0 to 65535, not "${text}"`);
}

function modelsOf({
  models,
  model,
  embedding,
  prices: priceFile,
}: Partial<Record<'models' | 'model' | 'embedding' | 'prices', string>>): ModelFlags {
  const short = { model, embedding, prices: priceFile };
  for (const [name, value] of Object.entries(short))
    if (models !== undefined && value !== undefined)
      throw new SetupError(`--models has everything: leave out --${name}`);
  const prices = priceFile === undefined ? undefined : readPrices(priceFile);
  return {
    model: listOf(model ?? 'offline', prices),
    embedding: embedding === undefined ? undefined : specOf(ModelSetting, embedding, '--embedding'),
    prices,
    models: models === undefined ? undefined : readModels(models),
  };
}

/** Models that answer in turn have prices: one without would be the one that answers when the others are away. */
function listOf(setting: string, prices: PriceTable = builtInPrices): string {
  specOf(ModelListSetting, setting, '--model');
  const names = parseModelList(setting).map(modelName);
  const missing = names.find((name) => !Object.hasOwn(prices, name));
  if (names.length === 1 || missing === undefined) return setting;
  throw new SetupError(`--model: ${missing} has no price: name it with --prices FILE`);
}

function specOf(form: z.ZodType<string>, setting: string, flag: string): string {
  const checked = form.safeParse(setting);
  if (checked.success) return setting;
  throw new SetupError(`${flag}: ${checked.error.issues[0]?.message}`);
}

/** The models file, whose keys are all set. */
function readModels(name: string): ModelsFile {
  const value = parseObject(readText(name, '--models'), `--models ${name}`);
  let file: ModelsFile;
  try {
    file = parseModelsFile(value);
  } catch (error) {
    throw new SetupError(`--models ${name}: ${messageOf(error)}`);
  }
  const { chat, embedding } = file;
  const named = [
    ...chat.map((one, i) => ({ one, path: `chat.${i}` })),
    { one: embedding, path: 'embedding' },
  ];
  for (const { one, path } of named)
    if (one?.key_env !== undefined && !process.env[one.key_env])
      throw new SetupError(`--models ${name}: ${path}.key_env: the variable ${one.key_env} is not set`);
  return file;
}

function httpUrl(text: string | undefined, flag: string): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new SetupError(`${flag}: "${text}" is not an http(s) URL`);
}

function readPrices(file: string): PriceTable {
  const table = parseObject(readText(file, '--prices'), `--prices ${file}`);
  try {
    return parsePriceTable(table);
  } catch (error) {
    throw new SetupError(`--prices ${file}: ${messageOf(error)}`);
  }
}

function readText(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SetupError(`${flag}: ${file} cannot be read (${messageOf(error)})`);
  }
}
