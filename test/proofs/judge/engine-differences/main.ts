// Compares two engines: `npm run prove -- judge:differences --operations 100000 --seed 1`. Exit code 0 only without a
// difference that is on no list.
import { parseArgs } from 'node:util';
import { type ComparedEngine, dynamoDbLocal, dynoxide, embedded } from './engines.ts';
import { judgeDifferences } from './judge-differences.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    reference: { type: 'string', default: 'local' },
    candidate: { type: 'string', default: 'embedded' },
  },
});
const engines: Readonly<Record<string, () => ComparedEngine | Promise<ComparedEngine>>> = {
  local: dynamoDbLocal,
  dynoxide,
  embedded,
};

function engineNamed(name: string): ComparedEngine | Promise<ComparedEngine> {
  const start = engines[name];
  if (!start) throw new Error(`no engine ${name}: ${Object.keys(engines).join(', ')}`);
  return start();
}

const verdict = await judgeDifferences({
  reference: await engineNamed(values.reference),
  candidate: await engineNamed(values.candidate),
  operations: Number(values.operations),
  seed: Number(values.seed),
  tell: (text) => process.stderr.write(`${text}\n`),
});
process.stdout.write(`${JSON.stringify(verdict, undefined, 2)}\n`);
process.exitCode = verdict.differences === 0 ? 0 : 1;
