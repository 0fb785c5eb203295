// Compares two engines: `node test/judge/engine-differences/main.ts --operations 100000 --seed 1`.
import { parseArgs } from 'node:util';
import { dynamoDbLocalDiffers } from './dynamodb-local-differs.ts';
import { type ComparedEngine, dynamoDbLocal, dynoxide, embedded } from './engines.ts';
import { judgeRounds, kindOf } from './rounds.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    reference: { type: 'string', default: 'local' },
    candidate: { type: 'string', default: 'embedded' },
  },
});
const accepted = dynamoDbLocalDiffers;
const engines: Readonly<Record<string, () => ComparedEngine | Promise<ComparedEngine>>> = {
  local: dynamoDbLocal,
  dynoxide,
  embedded,
};
async function engineNamed(name: string): Promise<ComparedEngine> {
  const start = engines[name];
  if (!start) throw new Error(`no engine ${name}: ${Object.keys(engines).join(', ')}`);
  return start();
}
const reference = await engineNamed(values.reference);
const candidate = await engineNamed(values.candidate);
const began = Date.now();
const asked = { seed: Number(values.seed), operations: Number(values.operations) };
const tally = await judgeRounds({ reference, candidate, accepted }, asked, (finding) => {
  console.log('\n#', kindOf(finding.difference), `seed ${finding.seed}`);
  console.log('    tables', JSON.stringify(finding.tables));
  for (const { operation, input } of finding.history)
    console.log('   ', operation, JSON.stringify(input).slice(0, 700));
  if (finding.difference.found !== finding.difference.asked)
    console.log('   found', JSON.stringify(finding.difference.found));
  console.log('   R', JSON.stringify(finding.difference.reference).slice(0, 600));
  console.log('   C', JSON.stringify(finding.difference.candidate).slice(0, 600));
});
for (const [kind, count] of Object.entries(tally.kinds).sort(([, a], [, b]) => b - a))
  console.log(count, kind);
console.log(tally.operations, tally.refused, Date.now() - began, 'ms');
await reference.stop();
await candidate.stop();
