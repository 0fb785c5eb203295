// The command line of the local service.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ModelSetting, type PriceTable, parsePriceTable } from '../../../functions/contract/models.ts';
import { messageOf, parseObject } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';

/** What a person asked for, checked. */
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
}

const options = {
  port: { type: 'string', default: '8787' },
  host: { type: 'string', default: '127.0.0.1' },
  'data-dir': { type: 'string', default: '.local' },
  reset: { type: 'boolean', default: false },
  'no-seed': { type: 'boolean', default: false },
  'allow-local-callbacks': { type: 'boolean', default: false },
  model: { type: 'string', default: 'offline' },
  prices: { type: 'string' },
  'dynamodb-endpoint': { type: 'string' },
} as const;

/** Reads the flags. Throws SetupError with one clear line. Contract 1. */
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
    dynamodbEndpoint:
      values['dynamodb-endpoint'] === undefined
        ? undefined
        : httpUrl(values['dynamodb-endpoint'], '--dynamodb-endpoint'),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: false, strict: true });
  } catch (error) {
    throw new SetupError(messageOf(error).split('\n')[0] ?? '');
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

function httpUrl(text: string, flag: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new SetupError(`${flag}: "${text}" is no http(s) URL`);
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
