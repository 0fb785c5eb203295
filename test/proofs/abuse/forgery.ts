// Cursors, tokens and event ids that were not issued for the run, the caller or the moment: not one of them is
// accepted.
import { limits } from '../../../functions/contract/limits.ts';
import { call, type HttpReply } from '../../support/service.ts';
import { token } from '../../support/streams.ts';
import * as when from '../../support/when.ts';
import type { Findings } from '../proof.ts';
import { newHome, type ProvedService } from '../proved-service.ts';
import { type Random, random } from '../random.ts';
import { inParallel, logToItsEnd } from '../work.ts';

const AT_ONCE = 8;
/** Well before a token's end. */
const TOKEN_MS = limits.event_token_lifetime_ms / 2;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const OTHER = ['=', '+', '/', '!', ' ', '\u0000', 'é', '%', '.', '~'];

/** Ways to change a text that was issued. */
const changes: readonly ((text: string, chance: Random) => string)[] = [
  (text, chance) => replaced(text, chance.below(text.length), (char) => bitFlipped(char, chance)),
  (text, chance) => replaced(text, chance.below(text.length), () => chance.pick([...ALPHABET])),
  // The last character has unused bits.
  (text, chance) => replaced(text, text.length - 1, () => chance.pick([...ALPHABET])),
  (text, chance) => text.slice(0, chance.below(text.length)),
  (text, chance) => text.slice(1 + chance.below(text.length - 1)),
  (text, chance) => `${text}${chance.pick([...ALPHABET, ...OTHER])}`,
  (text, chance) => `${chance.pick([...ALPHABET, ...OTHER])}${text}`,
  (text, chance) => replaced(text, chance.below(text.length), () => chance.pick(OTHER)),
  (text) => text + text,
  (text) => [...text].reverse().join(''),
  (text) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()),
  (text, chance) => {
    const at = chance.below(text.length - 1);
    return text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
  },
];

function replaced(text: string, at: number, change: (char: string) => string): string {
  return text.slice(0, at) + change(text[at] ?? '') + text.slice(at + 1);
}

function bitFlipped(char: string, chance: Random): string {
  const value = Math.max(0, ALPHABET.indexOf(char));
  return ALPHABET[value ^ (1 << chance.below(6))] ?? '';
}

/** Where a text is accepted: those that were issued for it, and those of another run or tenant. */
interface Place {
  issued: readonly string[];
  foreign: readonly string[];
  send(text: string): Promise<HttpReply>;
  refusal: readonly string[];
}

interface Issued {
  run: string;
  tokens: string[];
  cursors: string[];
  ids: string[];
}

/** Two runs of a new tenant, and everything that is issued for them. */
async function tenant(service: ProvedService) {
  const home = await newHome(service);
  const runs: Issued[] = [];
  for (const _ of [1, 2]) {
    const { body } = await when.createsPlanRun(home, [when.fetchCompanies, when.fetchCompanies]);
    const ids = (await logToItsEnd(home, body.id)).map(({ id }) => id);
    const pages = await Promise.all(
      [1, 2, 3].map((limit) => call('GET', `/runs/${body.id}/events?limit=${limit}`, { ...home })),
    );
    const cursors = pages.map((page) => page.body.next_cursor);
    runs.push({ run: body.id, tokens: [await token(home, body.id)], cursors, ids });
  }
  const page = await call('GET', '/runs?limit=1', { ...home });
  const [own, other] = runs;
  if (!own || !other) throw new Error('no runs');
  return { home, own, other, list: String(page.body.next_cursor) };
}

async function placesOf(service: ProvedService): Promise<Record<string, Place>> {
  const { home, own, other, list } = await tenant(service);
  const { own: stranger, list: foreignList } = await tenant(service);
  const under =
    (path: string, name: string, rest = '') =>
    (text: string) =>
      call('GET', `${path}?${name}=${encodeURIComponent(text)}${rest}`, { ...home });
  const stream = `/runs/${own.run}/events/stream`;
  let kept = { token: own.tokens[0] ?? '', since: Date.now() };
  const resumes = async (text: string) => {
    if (Date.now() - kept.since > TOKEN_MS) kept = { token: await token(home, own.run), since: Date.now() };
    return under(stream, 'last_event_id', `&event_token=${kept.token}`)(text);
  };
  return {
    event_token: {
      issued: own.tokens,
      foreign: [...other.tokens, ...stranger.tokens],
      send: under(stream, 'event_token'),
      refusal: ['401 auth_invalid'],
    },
    cursor: {
      issued: own.cursors,
      foreign: [...other.cursors, ...stranger.cursors, list],
      send: under(`/runs/${own.run}/events`, 'cursor'),
      refusal: ['422 schema_validation_failed'],
    },
    last_event_id: {
      issued: own.ids,
      foreign: [...other.ids, ...stranger.ids, ...own.cursors],
      send: resumes,
      refusal: ['422 schema_validation_failed'],
    },
    list_cursor: {
      issued: [list],
      foreign: [foreignList, ...own.cursors],
      send: under('/runs', 'cursor'),
      refusal: ['422 schema_validation_failed'],
    },
  };
}

/** Sends `mutations` forged texts. */
export async function forge(
  service: ProvedService,
  { mutations, seed }: Readonly<Record<'mutations' | 'seed', number>>,
): Promise<Findings> {
  const places = Object.entries(await placesOf(service));
  const breaches: string[] = [];
  const refused: Record<string, number> = {};
  const check = async (name: string, { send, refusal }: Place, text: string) => {
    const { status, body } = await send(text);
    const answer = `${status} ${body.error?.code}`;
    refused[`${name} ${answer}`] = (refused[`${name} ${answer}`] ?? 0) + 1;
    if (!refusal.includes(answer)) breaches.push(`${name} ${JSON.stringify(text)}: ${answer}`);
  };
  for (const [name, place] of places) {
    for (const text of place.foreign) await check(name, place, text);
    for (const text of place.issued) {
      const { status } = await place.send(text);
      if (status !== 200 && status !== 204) breaches.push(`${name} ${text}, which was issued: ${status}`);
    }
  }
  await inParallel(AT_ONCE, mutations, async (i) => {
    const chance = random(seed, i);
    const [name, place] = chance.pick(places);
    let text = chance.pick(place.issued);
    for (let share = 1; chance.chance(share) && text.length > 1; share = 0.3)
      text = chance.pick(changes)(text, chance);
    // A change may be none, or lead to another text that was issued.
    if (!place.issued.includes(text)) await check(name, place, text);
  });
  return { breaches, refused };
}
