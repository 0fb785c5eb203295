// Parsers of arguments: folders, durations, key=value pairs, references to records.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_FOLDER } from './connection/chosen-service.ts';

/**
 * `--local [DIR]` as one word, because DIR is optional: the next word is DIR when it is a path or an existing folder,
 * and otherwise belongs to the command (`runs get --local ID`).
 */
export function withLocalFolder(args: readonly string[], cwd: string): string[] {
  const at = args.indexOf('--local');
  const end = args.indexOf('--');
  if (at < 0 || (end >= 0 && end < at)) return [...args];
  const next = args[at + 1];
  const given = next !== undefined && isFolder(next, cwd);
  const flag = `--local=${given ? next : DEFAULT_FOLDER}`;
  return [...args.slice(0, at), flag, ...args.slice(at + (given ? 2 : 1))];
}

function isFolder(word: string, cwd: string): boolean {
  if (word.startsWith('-')) return false;
  return (
    /^[.~]|[/\\]/.test(word) ||
    statSync(resolve(cwd, word), { throwIfNoEntry: false })?.isDirectory() === true
  );
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `10m`, `1.5h`, `30s` in ms. Throws Error. */
export function duration(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
  if (!Number.isSafeInteger(Math.round(ms)))
    throw new Error('use a number with ms, s, m, h or d, such as 10m');
  return Math.round(ms);
}

/** A time as epoch ms: a duration ago (`1h`), or a date that Date.parse accepts. Throws Error. */
export function timeAgo(text: string): number {
  if (/^\d+(\.\d+)?[a-z]+$/.test(text)) return Date.now() - duration(text);
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Error('give a duration such as 1h, or a date such as 2026-11-21T08:00Z');
  return at;
}

/** An id. Throws Error for one that would lead to another path. */
export function anId(text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new Error('an id is not empty, "." or ".."');
  return text;
}

/** An integer of at least `least`. Throws Error. */
export function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new Error(`use an integer of at least ${least}`);
  };
}

/** An amount above 0. Throws Error. */
export function usd(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new Error('use an amount above 0, such as 2.50');
}

/** `key=value`. Throws Error. */
export function pair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error('write it as key=value');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** A config `key=value`: true, false and numbers are parsed, dashes in the key become underscores. Throws Error. */
export function setting(text: string): readonly [string, string | number | boolean] {
  const [key, value] = pair(text);
  const name = key.replaceAll('-', '_');
  if (value === 'true' || value === 'false') return [name, value === 'true'];
  return [name, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value];
}

/** An http(s) address. Throws Error. */
export function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Error('use an http(s) address');
  return url;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const sources = ['vault', 'linkedin', 'crunchbase', 'custom'] as const;

/** A reference to a record: its id, its `scheme:path`, or `source=external id`. Throws Error. */
export function entityRef(text: string) {
  if (UUID.test(text)) return { id: text };
  const source = sources.find((name) => text.startsWith(`${name}=`));
  if (source) return { external_id: text.slice(source.length + 1), source };
  if (/^[A-Za-z][A-Za-z0-9+._-]*:./s.test(text)) return { external_uri: text };
  throw new Error(`a record is named by its id, as scheme:path, or as ${sources.join('|')}=ID`);
}
