// What the README names exists: links, files, scripts, flags, settings, commands, tags of the reference. Its snippets run in test/e2e.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readArguments } from '../../bin/admin/read-arguments.ts';
import { readFlags } from '../../lib/local/cli/flags.ts';
import { Stage } from '../../lib/stage.ts';
import project from '../../package.json' with { type: 'json' };
import { campaigns } from '../proofs/list.ts';
import { codeBlocks } from '../support/snippets.ts';

const readme = readFileSync('README.md', 'utf8');
const prose = readme.replace(/^```[\s\S]*?^```$/gm, '');
const found = (pattern: RegExp, text = readme) => [...text.matchAll(pattern)].map(([, first = '']) => first);
/** Commands of the shell blocks, without their comments. */
const commands = codeBlocks('README.md', 'sh').flatMap((block) =>
  block
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*/, '')),
);
const argumentsOf = (prefix: string) =>
  commands
    .filter((command) => command.startsWith(prefix))
    .map((command) => command.slice(prefix.length).trim().split(/\s+/));
/** The first column of the table under a heading, up to the next empty line. */
const firstColumn = (heading: string) =>
  found(/^\| (.*?) \|/gm, readme.split(`| ${heading} `)[1]?.split('\n\n')[0]);

test('it is short', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(160);
});

test('every link leads to a file or to a heading', () => {
  const headings = found(/^#+ (.*)$/gm, prose).map(
    (heading) => `#${heading.toLowerCase().replaceAll(' ', '-')}`,
  );
  const dead = found(/\]\(([^)]+)\)/g, prose).filter((to) => !(headings.includes(to) || existsSync(to)));
  expect(dead).toEqual([]);
});

test('every file that it names exists', () => {
  const named = found(/`((?:functions|lib|bin|test|events)\/[\w./-]+)`/g).concat(
    found(/ ((?:test|events)\/[\w./-]+\.(?:ts|json))/g),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('every npm script that it names exists', () => {
  const named = found(/npm run (?:--silent )?([\w:]+)/g);
  expect(named.filter((name) => !Object.hasOwn(project.scripts, name))).toEqual([]);
  expect(readFileSync('.ci/run', 'utf8').trim().split('\n').at(-1)).toBe(found(/^(npm ci && npm test)/gm)[0]);
});

test.each(['README.md', 'SECURITY.md'])('every campaign that %s names exists', (file) => {
  const named = found(/npm run prove -- ([\w:]+)/g, readFileSync(file, 'utf8'));
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !Object.hasOwn(campaigns, name))).toEqual([]);
});

test('every start that it shows is understood, with the price table that it shows', () => {
  const prices = join(mkdtempSync(join(tmpdir(), 'readme-')), 'prices.json');
  writeFileSync(prices, found(/`(\{"llama3\.2": .*?\}\})`/g)[0] ?? '');
  const starts = argumentsOf('npm start --').map((args) =>
    args.map((arg) => (arg === 'prices.json' ? prices : arg)),
  );
  expect(starts.length).toBeGreaterThan(2);
  for (const args of starts) expect(() => readFlags(args)).not.toThrow();
});

test('every flag of the start in its table exists', () => {
  const flags = firstColumn('flag of').flatMap((cell) => found(/`(--[a-z-]+)/g, cell));
  expect(flags.length).toBeGreaterThan(7);
  for (const flag of flags) expect(() => readFlags([flag])).not.toThrow(/Unknown|unknown/);
});

test('its table of settings is the whole list of settings', () => {
  const settings = firstColumn('setting').flatMap((cell) => found(/`(\w+)`/g, cell));
  expect(settings.toSorted()).toEqual(Object.keys(Stage.shape).toSorted());
});

test('every admin command that it shows is understood', () => {
  const shown = argumentsOf('npm run --silent admin --');
  expect(shown.length).toBeGreaterThan(4);
  for (const args of shown) expect(() => readArguments(args)).not.toThrow();
});
