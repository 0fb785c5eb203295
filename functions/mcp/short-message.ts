// Makes the refusals of the protocol's library short: it repeats names, addresses and headers as they were sent
// (rules.md: errors 5).
import { limits } from '#contract/limits.ts';
import { shortRefusal } from '#edge/shorten-refusal.ts';

/** Without one of these a text has no refusal, so results of any size are not parsed. */
const REFUSAL = /"error":|"isError":true/;
const DATA = /^data: (.*)$/m;

/** The text of a message of JSON-RPC; that of a refusal is short. */
export function shortMessage(text: string): string {
  if (!REFUSAL.test(text)) return text;
  const message: object = Object(JSON.parse(text));
  return isRefusal(message, text) ? JSON.stringify(shortRefusal(message)) : text;
}

/** Each event of a stream of messages, which the library writes in one piece. */
export function shortEvents(): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  return new TransformStream({
    transform(piece, stream) {
      const event = Buffer.from(piece).toString();
      const short = event.replace(DATA, (_, text: string) => `data: ${shortMessage(text)}`);
      stream.enqueue(short === event ? piece : encoder.encode(short));
    },
  });
}

/** Whether a message is an error, or the failed call of a tool. The errors of the API are short before they are one. */
function isRefusal(message: object, text: string): boolean {
  if ('error' in message) return true;
  const { isError, structuredContent } = Object(Reflect.get(message, 'result'));
  const isShort = structuredContent !== undefined && Buffer.byteLength(text) <= limits.error_reply_max_bytes;
  return isError === true && !isShort;
}
