// The proofs at full figures: `node test/proofs/main.ts NAME [--flag N …]`; one JSON object, exit code 1 on a breach.
import { fuzz } from '../fuzz/run.ts';
import { raceCancels } from './cancel.ts';
import { forge } from './forgery.ts';
import { raceKeys } from './idempotency.ts';
import { waitAgain } from './patience.ts';
import { misused, type Proof, proof, runAsCommand } from './proof.ts';
import { onOwnService } from './proved-service.ts';
import { soak } from './soak.ts';
import { cutStreams } from './streams.ts';
import { crossTenants } from './tenants.ts';
import { cutWatches } from './watches.ts';
import { abuseDeliveries } from './webhooks.ts';
import { failures } from './work.ts';

const proofs: Readonly<Record<string, Proof>> = {
  idempotency: proof({ keys: 200, par: 50 }, (flags) => onOwnService((service) => raceKeys(service, flags))),
  cancel: proof({ runs: 5000 }, (flags) => onOwnService((service) => raceCancels(service, flags))),
  // Longer than the ten minutes after which the service itself cuts a stream.
  streams: proof({ streams: 500, cuts: 5000, seconds: 640 }, (flags) =>
    onOwnService((service) => cutStreams(service, flags)),
  ),
  watches: proof({ runs: 500 }, (flags) => onOwnService((service) => cutWatches(service, flags))),
  // As long as three of the minutes after which clients give a call up.
  patience: proof({ seconds: 180 }, (flags) => onOwnService((service) => waitAgain(service, flags))),
  webhooks: proof({ deliveries: 1000, attempts: 3 }, (flags) =>
    onOwnService((service) => abuseDeliveries(service, flags)),
  ),
  forgery: proof({ mutations: 10_000 }, (flags) => onOwnService((service) => forge(service, flags))),
  tenants: proof({}, () => onOwnService(crossTenants)),
  fuzz: proof({ n: 100_000, first: 0, parallel: 16, floods: 100 }, (flags) =>
    onOwnService((service) => fuzz(service, flags)),
  ),
  soak: proof({ minutes: 30 }, soak),
};

const [name = '', ...args] = process.argv.slice(2);
const chosen = proofs[name];
if (chosen)
  await runAsCommand({ ...chosen, run: async (flags) => ({ ...(await chosen.run(flags)), failures }) }, args);
else misused(`no proof "${name}"; there are ${Object.keys(proofs).join(', ')}`);
