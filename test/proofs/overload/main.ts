// `npm run prove -- overload [--workspaces 4] [--minutes 10] [--seed 1] [--planted]`: the provider of models is away
// while twice the load comes that the stack sustains, in virtual time. Prints one JSON line; exit 1 when the backlog or
// p99 is late, when retries storm, or when an answer is paid twice. `--planted`: calls are tried again at once and many
// times.
import '../sim/prepare.ts';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '4' },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    planted: { type: 'boolean', default: false },
  },
});
const { limits } = await import('#contract/limits.ts');
const { bounds, overload } = await import('./overload.ts');

if (values.planted) Reflect.set(limits, 'model_retry_delays_ms', Array(30).fill(100));

const startedAt = performance.now();
const { breaches, ...figures } = await overload({
  workspaces: Number(values.workspaces),
  away_minutes: Number(values.minutes),
  seed: Number(values.seed),
});
const seconds = Math.round((performance.now() - startedAt) / 1000);
const report = { ...figures, bounds, seconds, breaches: breaches.length, first_breaches: breaches };
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exitCode = breaches.length > 0 ? 1 : 0;
