// `npm run drill [-- --records 2500] [--without-incarnations]`: the drill on a service with the modules of AWS. Prints
// one JSON line; exit 1 on a fault, which leaving out the new incarnations must be.
import { registerHooks } from 'node:module';
import { parseArgs } from 'node:util';

registerHooks({
  resolve(specifier, context, next) {
    const isHost = context.parentURL?.endsWith('/lambda/host/lambda-host.ts');
    return next(
      isHost && specifier === './worker.ts' ? import.meta.resolve('./own-disks.ts') : specifier,
      context,
    );
  },
});
const { drillRestore } = await import('./restore-drill.ts');

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '2500' },
    'without-incarnations': { type: 'boolean', default: false },
  },
});
const begun = performance.now();
const records = Number(values.records);
const { breaches, ...figures } = await drillRestore({
  records,
  renews: !values['without-incarnations'],
});
const seconds = Math.round((performance.now() - begun) / 1000);
const shown = breaches.slice(0, 20).map((breach) => breach.slice(0, 400));
process.stdout.write(
  `${JSON.stringify({ records, ...figures, seconds, breaches: breaches.length, first_breaches: shown })}\n`,
);
process.exitCode = breaches.length > 0 ? 1 : 0;
