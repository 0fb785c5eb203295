// The proofs at full figures: `node test/proofs/main.ts NAME [--flag N …]`; one JSON object, exit code 1 on a breach.
import { raceCancels } from './cancel.ts';
import { raceKeys } from './idempotency.ts';
import { type Proof, proof, runAsCommand } from './proof.ts';
import { onOwnService } from './proved-service.ts';

const proofs: Readonly<Record<string, Proof>> = {
  idempotency: proof({ keys: 200, par: 50 }, (flags) => onOwnService((service) => raceKeys(service, flags))),
  cancel: proof({ runs: 5000 }, (flags) => onOwnService((service) => raceCancels(service, flags))),
};

const [name = '', ...args] = process.argv.slice(2);
const chosen = proofs[name];
if (!chosen) throw new Error(`no proof ${name}; there are ${Object.keys(proofs).join(', ')}`);
await runAsCommand(chosen, args);
