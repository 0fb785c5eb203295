// The command line of the local service: its flags and its usage page.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ModelSetting, type PriceTable, parsePriceTable } from '../../../functions/contract/models.ts';
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
  /** The parsed price table; undefined for the built-in one. */
  prices: PriceTable | undefined;
  dynamodbEndpoint: string | undefined;
  /** The collector of traces; undefined sends none. */
  otlpEndpoint: string | undefined;
  /** Whether `GET /metrics` is served. */
  metrics: boolean;
}

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
    default: 'offline',
    value: 'SPEC',
    help: 'offline, bedrock:<model id> or openai:<model>@<base url>',
  },
  prices: {
    type: 'string',
    value: 'FILE',
    help: 'JSON price table in USD per million tokens, instead of the built-in one',
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

/** The page of `npm start -- --help`. */
export function usagePage(): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const preset = 'default' in option && option.default ? ` (default ${option.default})` : '';
    return [`--${name}${'value' in option ? ` ${option.value}` : ''}`, option.help + preset] as const;
  });
  return `Usage: npm start -- [flags]

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
    model: modelOf(values.model),
    prices: values.prices === undefined ? undefined : readPrices(values.prices),
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

function modelOf(setting: string): string {
  const checked = ModelSetting.safeParse(setting);
  if (checked.success) return setting;
  throw new SetupError(`--model: ${checked.error.issues[0]?.message}`);
}

function httpUrl(text: string | undefined, flag: string): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new SetupError(`${flag}: "${text}" is not an http(s) URL`);
}

function readPrices(file: string): PriceTable {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SetupError(`--prices: ${file} cannot be read (${messageOf(error)})`);
  }
  const table = parseObject(text, `--prices ${file}`);
  try {
    return parsePriceTable(table);
  } catch (error) {
    throw new SetupError(`--prices ${file}: ${messageOf(error)}`);
  }
}
