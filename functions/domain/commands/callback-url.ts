// The rules for a callback URL when its run is created; the same guard checks it again at delivery.
import { fail } from '#contract/errors.ts';
import { checkResolved, checkUrl, type UrlVerdict } from '#outbound/foreign-url.ts';

/** A callback URL as sent, and the request field that it was sent in. */
export interface CallbackUrl {
  url: string;
  param: 'callback_url' | 'config.callback_url';
}

/**
 * The callback URL of a request, at the top level, in `config`, or identical in both; undefined if there is none.
 * Throws `schema_validation_failed` if the two differ (rules.md: callback 1).
 */
export function chooseCallbackUrl(body: {
  callback_url?: string | undefined;
  config?: { callback_url?: string | undefined } | undefined;
}): CallbackUrl | undefined {
  const topLevel = body.callback_url;
  const inConfig = body.config?.callback_url;
  if (topLevel === undefined) {
    return inConfig === undefined ? undefined : { url: inConfig, param: 'config.callback_url' };
  }
  if (inConfig === undefined || inConfig === topLevel) return { url: topLevel, param: 'callback_url' };
  const message = 'callback_url and config.callback_url must be identical.';
  const issue = { code: 'custom', expected: inConfig, received: topLevel, path: ['callback_url'], message };
  throw fail('schema_validation_failed', { param: 'callback_url', message, details: { issues: [issue] } });
}

/**
 * Checks that the URL may be called, as far as is known now; accepts a host that does not resolve. Throws
 * `invalid_callback_url` with the reason. Makes a DNS lookup and nothing else (rules.md: callback 2, callback 3).
 */
export async function checkCallbackUrl(
  callback: CallbackUrl,
  resolved: (url: URL) => Promise<UrlVerdict> = checkResolved,
): Promise<void> {
  const spelled = checkUrl(callback.url);
  const verdict = spelled.ok ? await resolved(spelled.url) : spelled;
  if (!verdict.ok) {
    throw fail('invalid_callback_url', { param: callback.param, details: { reason: verdict.reason } });
  }
}
