// `npm run prove -- judge:differences [--operations 100000] [--seed 1] [--reference local]`: the embedded engine
// compared with another one. Exit code 0 only without a difference.
import { parseArgs } from 'node:util';
import { dynamoDbLocal, dynoxide, embedded } from './engines.ts';
import { judgeForms } from './judge-forms.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    reference: { type: 'string', default: 'local' },
  },
});
const verdict = await judgeForms({
  reference: await (values.reference === 'dynoxide' ? dynoxide() : dynamoDbLocal()),
  candidate: embedded(),
  operations: Number(values.operations),
  seed: Number(values.seed),
});
process.stdout.write(`${JSON.stringify(verdict, undefined, 2)}\n`);
process.exitCode = verdict.differences.length === 0 ? 0 : 1;
