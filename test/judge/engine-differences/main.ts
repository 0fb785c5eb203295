// Compares two engines: `node test/judge/engine-differences/main.ts --operations 100000 --seed 1`.
import { parseArgs } from 'node:util';
import type { Accepted } from './accepted.ts';
import { dynamoDbLocal, dynoxide } from './engines.ts';
import { judgeRounds, kindOf } from './rounds.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    findings: { type: 'string', default: '20' },
  },
});
const accepted: Accepted[] = [];
const reference = await dynamoDbLocal();
const candidate = await dynoxide();
const began = Date.now();
const asked = { seed: Number(values.seed), operations: Number(values.operations) };
const tally = await judgeRounds({ reference, candidate, accepted }, asked, (finding) => {
  console.log('\n#', kindOf(finding.difference), `seed ${finding.seed}`);
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
