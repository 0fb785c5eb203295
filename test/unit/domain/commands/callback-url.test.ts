// Where a callback URL may be in a request, and how a bad one is refused.
import { describe, expect, test } from 'vitest';
import { checkCallbackUrl, chooseCallbackUrl } from '#domain/commands/callback-url.ts';
import { checkResolved } from '#outbound/foreign-url.ts';

const url = 'https://hooks.example.com/cb';
const other = 'https://hooks.example.com/other';

describe('one callback URL (rules.md: callback 1)', () => {
  test('a request may have no callback URL', () => {
    expect(chooseCallbackUrl({})).toBeUndefined();
    expect(chooseCallbackUrl({ config: {} })).toBeUndefined();
  });

  test('it may be at the top level, in config, or identically in both', () => {
    expect(chooseCallbackUrl({ callback_url: url })).toEqual({ url, param: 'callback_url' });
    expect(chooseCallbackUrl({ config: { callback_url: url } })).toEqual({
      url,
      param: 'config.callback_url',
    });
    expect(chooseCallbackUrl({ callback_url: url, config: { callback_url: url } })).toEqual({
      url,
      param: 'callback_url',
    });
  });

  test('two different ones are refused', () => {
    expect(() => chooseCallbackUrl({ callback_url: url, config: { callback_url: other } })).toThrow(
      expect.objectContaining({ code: 'schema_validation_failed', param: 'callback_url' }),
    );
  });
});

describe('a public https address (rules.md: callback 2)', () => {
  const resolvingTo =
    (...addresses: string[]) =>
    (parsed: URL) =>
      checkResolved(parsed, async () => addresses);

  test('a URL that resolves to public addresses is accepted', async () => {
    const accepted = checkCallbackUrl({ url, param: 'callback_url' }, resolvingTo('93.184.216.34'));
    await expect(accepted).resolves.toBeUndefined();
  });

  test.each([
    ['https://', 'invalid_url'],
    ['http://hooks.example.com/', 'not_https'],
    ['https://10.0.0.1/', 'private_address'],
    ['https://localtest.me/', 'private_address'],
  ])('%s is refused as %s', async (bad, reason) => {
    const refused = checkCallbackUrl({ url: bad, param: 'config.callback_url' }, resolvingTo('127.0.0.1'));
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_callback_url',
      param: 'config.callback_url',
      details: { reason },
    });
  });
});
