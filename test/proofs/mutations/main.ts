// `npm run prove -- mutations`: how many small changes of the core its tests notice. Works on a copy of the project.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { random } from '../random.ts';
import { readReport } from '../vitest-report.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { readReached } from './reached.ts';

const CORE = 'functions/{domain/{execution,commands},store/{money,runs}}/**/*.ts';
/** Of the mutants that are tried, so many must be noticed. */
const LEAST_SHARE = 0.85;
/** A test that a mutant keeps waiting has noticed it. Far beyond what the tests take, on a loaded machine too. */
const NOTICES_WITHIN_MS = 900_000;
/** Tests in one process, of which those that reach a mutant are run. */
const PROJECTS = ['--project', 'unit*', '--project', 'store*'];
/** What a service is tried by that is made with a mutant which they do not notice: all that a run can do, but no long wait. */
const OVER_HTTP = ['--project', 'e2e'].concat(
  [
    ...['budget', 'caps', 'caps-in-flight', 'cost-limit', 'keep-calls', 'key-limits', 'money', 'usage'],
    ...['create-run', 'create-run-body', 'validate-only', 'idempotency', 'plan-run', 'run-plan', 'run-trace'],
    ...['cancel', 'deadlines', 'delete-run', 'maintenance', 'monitor-fires', 'rerun', 'resume', 'sources'],
    ...['bounded-steps', 'events', 'model-truth', 'output', 'reads', 'step-items', 'steps', 'table-columns'],
    ...['workspace-deliveries', 'event-files', 'query', 'keys-at-once'],
  ].map((name) => `test/e2e/${name}.test.ts`),
);

interface Placed extends Mutant {
  file: string;
  line: number;
  was: string;
}

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: CORE },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    sample: { type: 'string', default: '150' },
  },
});
const copy = copyProject();

/** The files that git would take, and the packages. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  // Git also lists what is deleted and not committed.
  for (const file of listed.stdout.split('\0').filter((name) => name && existsSync(name)))
    cpSync(file, join(folder, file), { recursive: true });
  for (const packages of globSync('{,clients/*/}node_modules'))
    symlinkSync(resolve(packages), join(folder, packages));
  return folder;
}

const vitest = (args: readonly string[], options: { timeout?: number; env?: NodeJS.ProcessEnv } = {}) =>
  spawnSync(join('node_modules/.bin/vitest'), ['run', '--silent', ...args], {
    ...{ cwd: copy, stdio: 'ignore', killSignal: 'SIGKILL', ...options },
  });

/** Which tests reach a place. Throws when one fails without any mutant. */
function measureReach(): (file: string, at: number) => string[] {
  const folder = join(copy, 'reach');
  mkdirSync(folder);
  const setup = join(copy, 'test/support/properties.ts');
  const before = readFileSync(setup, 'utf8');
  appendFileSync(
    setup,
    "\nimport { recordReach } from '../proofs/mutations/record-reach.ts';\nafterAll(recordReach);\n",
  );
  const output = join(copy, 'report.json');
  vitest([...PROJECTS, '--reporter=json', `--outputFile=${output}`], {
    env: { ...process.env, REACH_FOLDER: folder },
  });
  const { failed } = readReport(output);
  writeFileSync(setup, before);
  if (failed.length > 0) throw new Error(`fails without a mutant: ${JSON.stringify(failed)}`);
  return readReached(folder);
}

function allMutants(): Placed[] {
  const [glob = '', line] = values.files.split(':');
  return globSync(glob)
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return mutantsOf(text).map((mutant) => ({
        ...mutant,
        file,
        line: text.slice(0, mutant.start).split('\n').length,
        was: text.slice(mutant.start, mutant.end),
      }));
    })
    .filter((mutant) => line === undefined || mutant.line === Number(line));
}

/** The first ones of the list, shuffled by the seed. */
function drawn(all: readonly Placed[]): Placed[] {
  const choices = random(Number(values.seed), 0);
  const rest = [...all];
  const count = Math.min(Number(values.sample), rest.length);
  return Array.from({ length: count }, () => rest.splice(choices.below(rest.length), 1)).flat();
}

function tryMutants() {
  const all = allMutants();
  const tried = drawn(all);
  const reachedBy = measureReach();
  const unnoticed = tried.filter((mutant) => {
    const tests = reachedBy(mutant.file, mutant.start);
    return tests.length === 0 || !isNoticedBy(mutant, [...PROJECTS, ...tests]);
  });
  process.stderr.write(`${unnoticed.length} of ${tried.length} are to be tried over HTTP\n`);
  if (vitest(OVER_HTTP).status !== 0) throw new Error('a test over HTTP fails without a mutant');
  const survived = unnoticed.filter((mutant, i) => {
    const isNoticed = isNoticedBy(mutant, OVER_HTTP);
    const { file, line, was, replacement } = mutant;
    const what = `${file}:${line} ${JSON.stringify(was)} → ${JSON.stringify(replacement)}`;
    process.stderr.write(`${i + 1} ${isNoticed ? 'noticed' : 'survived'}: ${what}\n`);
    return !isNoticed;
  });
  return { mutants: all.length, tried: tried.length, over_http: unnoticed.length, survived: survived.length };
}

function isNoticedBy({ file, start, end, replacement }: Placed, tests: readonly string[]): boolean {
  const place = join(copy, file);
  const text = readFileSync(place, 'utf8');
  writeFileSync(place, `${text.slice(0, start)}${replacement}${text.slice(end)}`);
  const { status } = vitest([...tests, '--bail=1'], { timeout: NOTICES_WITHIN_MS });
  writeFileSync(place, text);
  return status !== 0;
}

/** Prints the share with its interval of 95 % (Wilson's). */
function report({ survived, ...counts }: ReturnType<typeof tryMutants>): void {
  const { tried } = counts;
  const share = tried === 0 ? 0 : (tried - survived) / tried;
  const z = 1.96;
  const middle = (share + z ** 2 / (2 * tried)) / (1 + z ** 2 / tried);
  const half =
    (z * Math.sqrt((share * (1 - share)) / tried + z ** 2 / (4 * tried ** 2))) / (1 + z ** 2 / tried);
  const figures = {
    ...{ seed: Number(values.seed), ...counts, killed: tried - survived, survived },
    ...{ share, from: middle - half, to: middle + half },
    breaches: share < LEAST_SHARE ? 1 : 0,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  process.exitCode = figures.breaches;
}

try {
  report(tryMutants());
} finally {
  rmSync(copy, { recursive: true, force: true });
}
