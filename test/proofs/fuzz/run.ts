// A bounded fuzz: a number of requests of a seed, each reply checked, next to another tenant's normal work.
import { sha256Hex } from '../../../functions/platform/crypto.ts';
import { findInFiles } from '../../support/find-in-files.ts';
import type { Findings } from '../proof.ts';
import type { ProvedService } from '../proved-service.ts';
import { random } from '../random.ts';
import { growth, type Sample, sampleOf } from '../soak/process-samples.ts';
import { inParallel } from '../work.ts';
import { bystand } from './bystander.ts';
import { codeOf, faultOf, isTurnedAway } from './judge.ts';
import { makePool } from './pool.ts';
import { type FuzzedRequest, fuzzedRequest, type Pool } from './request.ts';
import { hangUp, send } from './send.ts';

/**
 * Requests `first` up to, not including, `first + n` of the seed, `parallel` of them at once; one body in `floods` is a
 * flood.
 */
export type FuzzFigures = Readonly<Record<'n' | 'first' | 'parallel' | 'floods' | 'seed', number>>;

const SHOWN_CHARACTERS = 300;
const SAMPLE_MS = 5_000;
/** The first part of the fuzz, in which functions start and caches fill; and what the rest may add, in MB. */
const WARM_UP = 0.4;
const MAY_GROW_MB = 150;
/** The share of requests that a slow machine may turn away; were it more, the rest would prove little. */
const MAY_TURN_AWAY = 0.02;
/** Fewer samples than this show no trend. */
const LEAST_SAMPLES = 30;

function shown({ method, path, headers, body }: FuzzedRequest): string {
  const sent = Buffer.isBuffer(body) ? `hex:${body.toString('hex').slice(0, 100)}` : (body ?? '');
  return `${method} ${path} ${JSON.stringify(headers)} ${sent}`.slice(0, SHOWN_CHARACTERS);
}

class Fuzz {
  readonly breaches: string[] = [];
  /** How often each status and each error code came. */
  readonly statuses: Record<string, number> = {};
  readonly codes: Record<string, number> = {};
  turned_away = 0;
  readonly worst = { ms: 0, index: -1, request: '' };
  readonly #site: string;
  readonly #pool: Pool;
  readonly #seed: number;
  readonly #floods: number;

  constructor(site: string, pool: Pool, { seed, floods }: FuzzFigures) {
    this.#site = site;
    this.#pool = pool;
    this.#seed = seed;
    this.#floods = floods;
  }

  async one(index: number): Promise<void> {
    const request = fuzzedRequest(random(this.#seed, index), this.#pool, this.#floods);
    const begun = performance.now();
    const fault = await this.#judged(request).catch((error: unknown) => String(error));
    const ms = Math.round(performance.now() - begun);
    // Long polls and streams last as long as they are asked to.
    if (ms > this.worst.ms && !/keep-open|\/stream/.test(request.path))
      Object.assign(this.worst, { ms, index, request: shown(request) });
    if (fault === undefined) return;
    const again = `again: npm run prove -- fuzz --seed ${this.#seed} --first ${index} --n 1 --floods ${this.#floods}`;
    this.breaches.push(`${fault.slice(0, SHOWN_CHARACTERS)} (${again}) ${shown(request)}`);
  }

  async #judged(request: FuzzedRequest): Promise<string | undefined> {
    const answer = await send(this.#site, request);
    if (isTurnedAway(request, answer)) this.turned_away += 1;
    const code = codeOf(answer) ?? 'none';
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    this.codes[code] = (this.codes[code] ?? 0) + 1;
    if (secretsOf(this.#pool).some((secret) => answer.text.includes(secret))) return 'a secret in the answer';
    return faultOf(request, answer);
  }
}

/** What no reply, file or log may contain: keys, and the secrets that sign webhooks and messages. */
function secretsOf({ api_key, other_keys, bridge }: Pool): string[] {
  return [api_key, sha256Hex(api_key), ...other_keys, bridge.secret, sha256Hex(bridge.secret)];
}

/** Sends the requests and judges the answers; never throws for what the service does. */
export async function fuzz(service: ProvedService, figures: FuzzFigures): Promise<Findings> {
  const { n, first, parallel } = figures;
  const pool = await makePool(service.base_url, service.admin);
  const over = new AbortController();
  const bystander = bystand(service, over.signal);
  const run = new Fuzz(service.site_url, pool, figures);
  const samples: Sample[] = [];
  const sampling = setInterval(() => samples.push(sampleOf(process.pid)), SAMPLE_MS);
  await inParallel(parallel, n, (i) => run.one(first + i));
  clearInterval(sampling);
  over.abort();
  hangUp();
  const { breaches, statuses, codes, worst, turned_away } = run;
  if (turned_away > MAY_TURN_AWAY * n) breaches.push(`${turned_away} requests were turned away`);
  const { breaches: held, ...waited } = await bystander;
  breaches.push(...held);
  const secrets = Object.fromEntries(
    [...secretsOf(pool), ...pool.tokens].map((text, i) => [`secret ${i}`, text]),
  );
  for (const { secret, file } of findInFiles(service.data_dir, secrets))
    breaches.push(`${secret} in ${file}`);
  const grown = growth(samples.slice(Math.floor(samples.length * WARM_UP)));
  if (samples.length >= LEAST_SAMPLES && grown.rss_mb > MAY_GROW_MB)
    breaches.push(`memory grew by ${grown.rss_mb} MB`);
  const rss_mb = samples.map((sample) => sample.rss_mb);
  return { breaches, requests: n, statuses, codes, worst, turned_away, bystander: waited, grown, rss_mb };
}
