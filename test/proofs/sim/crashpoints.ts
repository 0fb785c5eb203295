// `npm run prove -- sim:crashpoints`: every flow again and again, with one fault at its n-th call to AWS, for every n
// and every kind of fault. Prints one JSON line; exit 1 unless each of them ends as the flow without a fault does.
import './prepare.ts';
import { parseArgs } from 'node:util';
import type { FaultKind } from '../../support/faults.ts';

const { faultKinds, kindsFor } = await import('../../support/faults.ts');
const { flows, play } = await import('./flows.ts');

const { values } = parseArgs({
  options: { flow: { type: 'string' }, every: { type: 'string', default: '1' } },
});
const SHOWN = 20;
const startedAt = performance.now();
const fired: Record<string, number> = {};
const breaches: string[] = [];
const calls: Record<string, number> = {};

for (const name of Object.keys(flows).filter((flow) => !values.flow || flow === values.flow)) {
  const calm = await play(name);
  breaches.push(...calm.breaches.map((breach) => `${name}: ${breach}`));
  calls[name] = calm.calls.length;
  for (let n = 0; n < calm.calls.length; n += Number(values.every)) {
    const call = calm.calls[n];
    const kinds: FaultKind[] = call ? kindsFor(call) : [...faultKinds];
    for (const kind of kinds) {
      const told = await play(name, { call: n, kind });
      fired[kind] = (fired[kind] ?? 0) + 1;
      const where = `${name}, ${kind} at call ${n} (${call?.command})`;
      breaches.push(...told.breaches.map((breach) => `${where}: ${breach}`));
      if (told.end !== calm.end) breaches.push(`${where}: ends as ${told.end}, not as ${calm.end}`);
    }
  }
}
const seconds = Math.round((performance.now() - startedAt) / 1000);
const report = { calls, fired, seconds, breaches: breaches.length, first_breaches: breaches.slice(0, SHOWN) };
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exitCode = breaches.length > 0 ? 1 : 0;
