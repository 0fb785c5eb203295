// `npm run prove -- short [--seed 1] [--only NAME,…]`: the short form of every campaign, two at a time, one line each.
// Exit code 1 when one finds a breach, does not decide in its time or does too little. A line ends with the command
// that repeats it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { isDynoxideHere } from '../../support/dynoxide.ts';
import { hasChecker } from '../living/checkers/linearizable.ts';
import { misused } from '../proof.ts';
import { faultOf, type Outcome, WITHIN_S } from './fault-of.ts';
import { type ShortForm, shortForms } from './short-forms.ts';

const AT_ONCE = 2;
const NAME_CHARACTERS = 'judge:differences'.length;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, only: { type: 'string' } },
});
const only = values.only?.split(',');
const chosen = shortForms.filter(({ campaign }) => !only || only.includes(campaign));

const isHere = { Go: hasChecker, dynoxide: () => isDynoxideHere };
/** As one types it: a flag with blanks is in quotes. */
const flagsOf = ({ flags = '', seed }: ShortForm) =>
  [flags, seed && `${seed} ${values.seed}`].filter(Boolean).join(' ');
const argumentsIn = (flags: string) =>
  [...flags.matchAll(/'([^']*)'|\S+/g)].map(([plain, quoted]) => quoted ?? plain);

/** The campaigns under way, each with the processes that it starts. */
const running = new Set<ChildProcess>();

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function outcomeOf(form: ShortForm): Promise<Outcome> {
  const main = new URL('../main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main, form.campaign, ...argumentsIn(flagsOf(form))], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const outcome: Outcome = { exit_code: null, is_late: false, stdout: '', stderr: '' };
  child.stdout.on('data', (piece) => {
    outcome.stdout += piece;
  });
  child.stderr.on('data', (piece) => {
    outcome.stderr += piece;
  });
  const timer = setTimeout(() => {
    outcome.is_late = true;
    end(child);
  }, WITHIN_S * 1000);
  [outcome.exit_code] = await once(child, 'close');
  clearTimeout(timer);
  running.delete(child);
  return outcome;
}

/** Runs one and prints its line; returns whether all is well. */
async function prove(form: ShortForm): Promise<boolean> {
  const { campaign, needs } = form;
  const name = campaign.padEnd(NAME_CHARACTERS);
  if (needs && !isHere[needs]()) {
    process.stdout.write(`left out ${name}  this machine has no ${needs}\n`);
    return true;
  }
  const begun = performance.now();
  const fault = faultOf(form, await outcomeOf(form));
  const seconds = String(Math.round((performance.now() - begun) / 1000)).padStart(3);
  const command = `npm run prove -- ${campaign} ${flagsOf(form)}`.trim();
  process.stdout.write(
    `${fault ? 'FAILED' : 'ok'.padEnd(6)}   ${name} ${seconds} s  ${command}${fault ? `: ${fault}` : ''}\n`,
  );
  return fault === undefined;
}

async function proveAll(): Promise<void> {
  process.once('exit', () => running.forEach(end));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const begun = performance.now();
  const queue = chosen.values();
  let failed = 0;
  const work = async () => {
    for (const form of queue) if (!(await prove(form))) failed += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seconds = Math.round((performance.now() - begun) / 1000);
  process.stdout.write(`${chosen.length} short forms, ${failed} failed, ${seconds} s\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}

if (chosen.length > 0) await proveAll();
else
  misused(
    `no short form "${values.only}"; there are ${shortForms.map(({ campaign }) => campaign).join(', ')}`,
  );
