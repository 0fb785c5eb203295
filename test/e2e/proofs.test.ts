// The short forms of the proofs: the same trials as `npm run prove`, on the shared service and with small figures.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { forge } from '../proofs/abuse/forgery.ts';
import { crossTenants } from '../proofs/abuse/tenants.ts';
import { abuseDeliveries } from '../proofs/abuse/webhooks.ts';
import { cutStreams } from '../proofs/cuts/streams.ts';
import type { Findings } from '../proofs/proof.ts';
import type { ProvedService } from '../proofs/proved-service.ts';
import { raceCancels } from '../proofs/race/cancel.ts';
import { raceKeys } from '../proofs/race/idempotency.ts';
import { admin, sharedService } from '../support/service.ts';

/** The commands take another seed each time; the suite proves the same each time. */
const seed = 20_261_121;

const shortForms: Readonly<Record<string, (service: ProvedService) => Promise<Findings>>> = {
  'keys posted many times at once make one run each; another body under the key is refused': (service) =>
    raceKeys(service, { keys: 2, par: 20, seed }),
  'cancel against finish: exactly one end, told once, settled once, whatever the moment': (service) =>
    raceCancels(service, { runs: 50, seed }),
  'a reader whose stream is cut again and again sees each event once, in order': (service) =>
    cutStreams(service, { streams: 10, cuts: 30, seconds: 4, seed }),
  'whatever a receiver does, an attempt is classed right': (service) =>
    abuseDeliveries(service, { deliveries: 45, attempts: 1, seed }),
  'no cursor, token or event id is accepted that was not issued for its place': (service) =>
    forge(service, { mutations: 150, seed }),
  'another tenant’s ids are answered like ids of nothing': crossTenants,
};

test.each(Object.entries(shortForms))(
  '%s',
  async (_rule, prove) => {
    const { base_url, site_url, log_dir } = sharedService();
    const { breaches, ...figures } = await prove({ base_url, site_url, data_dir: dirname(log_dir), admin });
    expect(breaches, `seed ${seed}: ${JSON.stringify(figures)}`).toEqual([]);
  },
  180_000,
);
