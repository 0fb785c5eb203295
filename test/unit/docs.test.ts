// What the pages for readers name exists: links, files, scripts, flags, settings, commands, alarms. Their samples run
// in test/e2e.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readArguments } from '../../bin/admin/read-arguments.ts';
import { readDeployArguments } from '../../bin/deploy/arguments.ts';
import { readFlags } from '../../lib/local/cli/flags.ts';
import { permissions } from '../../lib/permissions.ts';
import { Stage, settingNames } from '../../lib/stage.ts';
import project from '../../package.json' with { type: 'json' };
import { campaigns } from '../proofs/list.ts';
import { planted } from '../proofs/planted/faults.ts';
import { shortForms } from '../proofs/short/short-forms.ts';
import { filesBy } from '../support/files.ts';
import { codeBlocks, commandsOf } from '../support/snippets.ts';

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first = '']) => first);
const pages = filesBy('{*.md,docs/*.md,{clients,functions,lib}/**/README.md,functions/contract/**/*.md}');
const textOf = (page: string) => readFileSync(page, 'utf8');
/** A page without its code. */
const proseOf = (page: string) => textOf(page).replace(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '');

/** The arguments of each shown command that begins with `prefix`. */
const argumentsOf = (prefix: string) =>
  pages
    .flatMap(commandsOf)
    .filter((command) => command.startsWith(prefix))
    .map((command) => command.slice(prefix.length).trim().split(/\s+/));

/** The names in code spans in the first column of a page's table whose heading begins so. */
function firstColumn(page: string, heading: string): string[] {
  const table = textOf(page).split(`| ${heading} |`)[1]?.split('\n\n')[0] ?? '';
  return all(table, /^\| (.*?) \|/gm).flatMap((cell) => all(cell, /`(.*?)`/g));
}

/** The address of each heading, as sites that show Markdown make it. */
const anchorsOf = (page: string) =>
  all(textOf(page), /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  );

test('the README is a front door: at most 120 lines of at most 110 characters', () => {
  const lines = textOf('README.md').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(120);
  expect(lines.filter((line) => [...line].length > 110)).toEqual([]);
});

test('the guide to deploying names every function that uses the experimental SQLite', () => {
  const line =
    textOf('functions/contract/document/guides/deploy.md').match(/experimental: (.*?)\./)?.[1] ?? '';
  const opening = Object.entries(permissions).filter(([, { record_index }]) => record_index);
  expect(all(line, /`(\w+)`/g).toSorted()).toEqual(opening.map(([name]) => name).toSorted());
});

describe.each(pages)('%s', (page) => {
  test('links to files and headings that exist', () => {
    const dead = all(proseOf(page), /\]\(((?!https?:)[^)\s]+)\)/g).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(dead).toEqual([]);
  });

  test('has no sample that goes on with an empty key where none is set', () => {
    const lines = textOf(page).split('\n');
    const empty = /(key|secret|token)\w*['"\])]*\s*(\?\?|\|\||or|,)\s*(''|"")/i;
    expect(lines.filter((line) => empty.test(line))).toEqual([]);
  });

  test('names files that exist', () => {
    const named = all(textOf(page), /`((?:functions|lib|bin|test|events|docs|clients)\/[\w./-]+)`/g).concat(
      all(textOf(page), / ((?:test|events)\/[\w./-]+\.(?:ts|json))/g),
    );
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('names npm scripts that exist', () => {
    const named = all(textOf(page), /npm run (?:--silent )?([\w:]+)\b(?! -w)/g);
    expect(named.filter((name) => !Object.hasOwn(project.scripts, name))).toEqual([]);
  });

  test('names campaigns that exist', () => {
    const named = all(textOf(page), /npm run prove -- ([a-z][\w:-]*)/g);
    expect(named.filter((name) => !Object.hasOwn(campaigns, name))).toEqual([]);
  });
});

test('docs/proofs.md explains every campaign', () => {
  const text = textOf('docs/proofs.md');
  expect(
    Object.keys(campaigns).filter((name) => !text.includes(`\`${name}\``) && !text.includes(`-- ${name}`)),
  ).toEqual([]);
});

test('docs/reliability.md counts the planted bugs of the simulation', () => {
  const [count] = all(textOf('docs/reliability.md'), /^\| histories \| (\d+) bugs/gm);
  expect(Number(count)).toBe(Object.keys(planted.sim).length);
});

test('continuous integration runs the test command of the README, makes the packages, then runs the short form of every campaign', () => {
  const tests = all(textOf('README.md'), /^(npm ci && npm test)/gm);
  const campaignsInShort = all(textOf('CONTRIBUTING.md'), /^(npm run prove -- short)/gm);
  expect(textOf('.ci/run').trim().split('\n').slice(-3)).toEqual([
    ...tests,
    'npm run pack',
    ...campaignsInShort,
  ]);
});

test('every short form is of a campaign, and has a seed if that takes one', () => {
  const names = shortForms.map(({ campaign }) => campaign);
  expect(names.filter((name) => !Object.hasOwn(campaigns, name))).toEqual([]);
  const seedless = shortForms.filter(
    ({ campaign, flags = '', seed }) =>
      !seed && !flags.includes('--planted') && /--seed|--first/.test(campaigns[campaign]?.flags ?? ''),
  );
  expect(seedless.map(({ campaign }) => campaign)).toEqual([]);
});

test('every start that is shown is understood, with the price table that is shown', () => {
  const prices = join(mkdtempSync(join(tmpdir(), 'docs-')), 'prices.json');
  writeFileSync(prices, codeBlocks('docs/operate.md', 'json')[0] ?? '');
  const starts = argumentsOf('npm start --').map((args) =>
    args.map((arg) => (arg === 'prices.json' ? prices : arg)),
  );
  expect(starts.length).toBeGreaterThan(3);
  for (const args of starts) expect(() => readFlags(args)).not.toThrow();
});

test('the table of flags has flags of the start only', () => {
  const flags = firstColumn('docs/operate.md', 'flag of `npm start --` | default')
    .map((cell) => cell.split(' ')[0] ?? '')
    .filter((word) => word.startsWith('--'));
  expect(flags.length).toBeGreaterThan(7);
  for (const flag of flags) expect(() => readFlags([flag])).not.toThrow(/Unknown|unknown/);
});

test('the table of settings is the whole list of settings', () => {
  const settings = firstColumn('docs/operate.md', 'setting | default');
  expect(settings.toSorted()).toEqual(settingNames.toSorted());
});

test('every deployment that is shown has settings that a stage takes', () => {
  const deployments = argumentsOf('npm run deploy --');
  expect(deployments.length).toBeGreaterThan(2);
  for (const args of deployments) {
    const { cdk } = readDeployArguments(args);
    const settings = cdk.filter((arg) => arg !== '-c').map((arg) => arg.replaceAll("'", '').split('='));
    expect(Stage.safeParse(Object.fromEntries(settings)).error).toBeUndefined();
  }
});

test('every admin command that is shown is understood', async () => {
  const shown = argumentsOf('npm run --silent admin --').filter(([first]) => first !== '--help');
  expect(shown.length).toBeGreaterThan(4);
  for (const args of shown) expect(await readArguments(args)).toHaveProperty('name');
});
