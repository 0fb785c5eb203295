// Sources of kind `http`: a signed POST for each page (rules.md: sources 3).
import { limits } from '#contract/limits.ts';
import { signWebhook } from '#domain/webhooks/sign.ts';
import type { Send } from '#outbound/request.ts';
import { newId } from '#platform/ids.ts';
import { failureOf, wrongStatus } from './source-failure.ts';
import { jsonOf, type OpenSource, pageOf, type SourcePages, textOf } from './source-pages.ts';

export const USER_AGENT = 'service-source/1';

/** The headers of a POST of this body to a source: its own, and the signature by its secret at this moment. */
export function signedHeaders(
  { secret, headers }: Pick<OpenSource, 'secret' | 'headers'>,
  body: string,
): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  return {
    'User-Agent': USER_AGENT,
    ...headers,
    'Content-Type': 'application/json',
    'X-Service-Signature': signWebhook({ secretsHex: [secret], body, timestampSeconds }),
    'X-Request-Id': newId(),
  };
}

/** The pages of a source of kind `http`. */
export function httpPages({ url, secret, headers }: OpenSource, send: Send): SourcePages {
  return {
    async page(request, call) {
      const body = JSON.stringify(request);
      const outcome = await send({
        ...call,
        method: 'POST',
        url,
        headers: { Accept: 'application/json', ...signedHeaders({ secret, headers }, body) },
        body,
        readBodyBytes: limits.source_page_max_bytes,
      });
      if (outcome.kind !== 'response') throw failureOf(outcome);
      if (outcome.status !== 200) throw wrongStatus(outcome.status);
      return pageOf(jsonOf(textOf(outcome.body ?? new Uint8Array())));
    },
    // Every call stands alone.
    close: async () => undefined,
  };
}
