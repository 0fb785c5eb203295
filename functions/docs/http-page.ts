// A page or asset as sent: with a validator, in an encoding that the client accepts.
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { HttpRequest } from '#edge/http-request.ts';
import type { BytesReply, TextReply } from '#edge/replies.ts';

const CACHE_SECONDS = 300;
/** Almost the smallest result, in a tenth of the time. */
const BROTLI_QUALITY = 5;

const encoders = {
  br: (text: string) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (text: string) => gzipSync(text),
};
type Encoding = keyof typeof encoders;

export interface Page {
  text: string;
  headers: Readonly<Record<string, string>>;
  /** Identifies the text, in any encoding. */
  tag: string;
  encoded: Map<Encoding, Buffer>;
}

/** A page of a text; `own` headers win over those of every page. */
export function makePage(mediaType: string, text: string, own: Page['headers'] = {}): Page {
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'Content-Type': mediaType,
    'Cache-Control': `public, max-age=${CACHE_SECONDS}`,
    ETag: tag,
    Vary: 'Accept-Encoding',
    ...own,
  };
  return { text, headers, tag, encoded: new Map() };
}

/**
 * The reply to a request for the page: 304 when the client has it, compressed when the client accepts that (rules.md:
 * reads 5).
 */
export function sendPage(
  page: Page,
  { headers: sent }: Pick<HttpRequest, 'headers'>,
): TextReply | BytesReply {
  const { text, headers, tag } = page;
  if (isKnown(tag, sent['if-none-match'])) return { status: 304, text: '', headers };
  const encoding = encodingFor(sent['accept-encoding']);
  if (!encoding) return { status: 200, text, headers };
  const bytes = page.encoded.get(encoding) ?? encoders[encoding](text);
  page.encoded.set(encoding, bytes);
  return { status: 200, bytes, headers: { ...headers, 'Content-Encoding': encoding } };
}

/** Whether a client that has the pages with these tags, or any (`*`), has this one. */
function isKnown(tag: string, ifNoneMatch = ''): boolean {
  const bare = (one: string) => one.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || bare(one) === bare(tag));
}

/** The client's preferred encoding among ours; undefined when it accepts none of them. */
function encodingFor(acceptEncoding = ''): Encoding | undefined {
  const weights = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...params] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const q = params.find((param) => param.startsWith('q='))?.slice(2);
      return [name, q === undefined ? 1 : Number(q)] as const;
    }),
  );
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  return weightOf(best) > 0 ? best : undefined;
}
