// Sends a request, counts its reply where it comes in, and makes an error of every reply that is none. The AI SDK gets
// whole replies alone: it throws the usage away with every reply that it refuses.
import { isJsonObject } from '#contract/json.ts';
import type { Attempt, TokenUsage } from '#models/model.ts';
import { type Asked, errorOfReply, errorOfRequest, passingCodes } from './model-error.ts';
import { usageIn } from './usage.ts';

/** No answer of a chat is longer; a page that is, is no answer. */
export const CHAT_BYTES = 4 * 1024 * 1024;
/** Vectors of some hundred texts. */
export const EMBEDDING_BYTES = 64 * 1024 * 1024;
/** Enough of an error for its words. */
const ERROR_BYTES = 64 * 1024;

/** A reply with a 2xx status, as it came in. */
interface Arrived {
  status: number;
  text: string;
  usage: TokenUsage | null;
}

export interface Wire {
  fetch: typeof fetch;
  /** The last reply of the call. */
  arrived(): Arrived | undefined;
}

/**
 * A `fetch` for one call that hands the usage of each reply to `onReply`. An error of the provider is no reply: a
 * status of 4xx or 5xx, or a 200 that has an error with such a code instead of choices. A reply whose body breaks off
 * or is no JSON has no usage. With `late`, a request goes on after the signal of its caller. Throws ModelError.
 */
export function meteredFetch(
  asked: Asked,
  { onReply, late }: Omit<Attempt, 'signal'>,
  maxBytes: number,
): Wire {
  let last: Arrived | undefined;
  const metered: typeof fetch = async (input, init) => {
    last = undefined;
    // A key goes to its own endpoint alone: no redirect is followed (rules.md: models 2).
    const reply = await fetch(input, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      throw errorOfRequest(error, init?.signal);
    });
    if (!reply.ok) throw errorOfReply(asked, await errorIn(reply));
    const text = await textOf(reply, maxBytes).catch((error: unknown) => {
      onReply(null);
      throw errorOfRequest(error, init?.signal);
    });
    const body = parsed(text);
    const status = statusIn(body);
    if (status !== undefined)
      throw errorOfReply(asked, { status, body: text, retry_after_ms: retryAfter(reply) });
    const usage = usageIn(body);
    onReply(usage);
    last = { status: reply.status, text, usage };
    return new Response(usage ? text : withoutUsage(body, text), { headers: reply.headers });
  };
  const patient: typeof fetch = async (input, init) => {
    if (!late) return metered(input, init);
    const { signal = null, ...rest } = init ?? {};
    signal?.throwIfAborted();
    const reply = metered(input, { ...rest, signal: late.signal });
    late.onRequest(reply);
    return signal ? unlessAborted(reply, signal) : reply;
  };
  return { fetch: patient, arrived: () => last };
}

/** The result of work, or the reason of the signal if that comes first. The work goes on. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** The text of a body, of at most so many bytes: the rest is not read. */
async function textOf({ body }: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let left = maxBytes;
  const reader = body?.getReader();
  while (reader && left > 0) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value.subarray(0, left));
    left -= value.byteLength;
  }
  if (left <= 0) await reader?.cancel().catch(() => undefined);
  return Buffer.concat(parts).toString('utf8');
}

async function errorIn(reply: Response) {
  const body = await textOf(reply, ERROR_BYTES).catch(() => '');
  return { status: reply.status, body, retry_after_ms: retryAfter(reply) };
}

const NUMBER = /^\d{1,15}(\.\d{1,15})?$/;
/** RFC 9110, 5.6.7. `Date.parse` also makes dates of other texts, such as `-1`. */
const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** How long a reply asks to wait before another try; what is no time to come counts as none (rules.md: models 4). */
function retryAfter({ headers }: Response): number | undefined {
  const ms = headers.get('retry-after-ms')?.trim() ?? '';
  if (NUMBER.test(ms)) return Math.round(Number(ms));
  const after = headers.get('retry-after')?.trim() ?? '';
  if (NUMBER.test(after)) return Math.round(Number(after) * 1000);
  const wait = HTTP_DATE.test(after) ? Date.parse(after) - Date.now() : Number.NaN;
  return wait >= 0 ? wait : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The status of an error that came with 200: gateways send what their provider said so. */
function statusIn(body: unknown): number | undefined {
  if (!isJsonObject(body) || !isJsonObject(body.error)) return undefined;
  if (Array.isArray(body.choices) && body.choices.length > 0) return undefined;
  const code = Number(body.error.code);
  return passingCodes.has(code) ? code : undefined;
}

/** Usage that cannot be read is no reason to lose the answer. */
function withoutUsage(body: unknown, text: string): string {
  if (!isJsonObject(body) || !Object.hasOwn(body, 'choices')) return text;
  const { usage: _, ...rest } = body;
  return JSON.stringify(rest);
}
