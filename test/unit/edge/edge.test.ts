// The edge of every HTTP function: the API, inbound sync and the pages.
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { routes } from '../../../functions/contract/routes.ts';
import { lambdaContext, restEvent } from '../../support/gateway-events.ts';

Object.assign(process.env, { SITE_URL: 'http://127.0.0.1', POWERTOOLS_LOG_LEVEL: 'SILENT' });
const { api } = await import('#edge/api.ts');
const { byKey } = await import('#edge/bearer-key.ts');
const { buffered } = await import('#edge/buffered.ts');
const { edge } = await import('#edge/edge.ts');
const { readQuery } = await import('#edge/read-query.ts');
const { renderError } = await import('#edge/render-error.ts');
const { reply } = await import('#edge/replies.ts');
const { handler: receiveSync } = await import('../../../functions/http/sync-routes.ts');
const { handler: pages } = await import('../../../functions/docs/site.ts');

type Handler = (event: ReturnType<typeof restEvent>, context: Context) => Promise<APIGatewayProxyResult>;

const listRuns = buffered(
  api('ListRuns', byKey, async () => {
    throw new Error('no key, no handler');
  }),
);

/** Each kind of HTTP function, asked for something that it answers without a store. */
const functions: Record<string, (headers: Record<string, string>) => Promise<APIGatewayProxyResult>> = {
  'the API': (headers) => listRuns(restEvent('/v1/runs', { headers }), lambdaContext()),
  'inbound sync': (headers) =>
    receiveSync(
      restEvent('/webhooks/sync/{bridge_id}', {
        headers,
        httpMethod: 'POST',
        pathParameters: { bridge_id: 'none' },
      }),
      lambdaContext(),
    ),
  'the pages': (headers) => pages(restEvent('/nothing', { headers }), lambdaContext()),
};

/** A handler behind the edge of the API, without a key. */
const behind = (handle: () => ReturnType<typeof reply>): Handler =>
  buffered(edge(renderError).handler(() => handle()));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const anyId = fc.oneof(
  fc.string({ maxLength: 140 }),
  fc.string({ unit: fc.constantFrom(...'aZ09._:-'), maxLength: 140 }),
);

test('every HTTP function accepts or replaces the same request ids', async () => {
  await fc.assert(
    fc.asyncProperty(anyId, fc.constantFrom('x-request-id', 'X-Request-Id'), async (sent, name) => {
      const replies = await Promise.all(Object.values(functions).map((ask) => ask({ [name]: sent })));
      const wellFormed = /^[A-Za-z0-9._:-]{1,128}$/.test(sent);
      for (const { headers } of replies)
        expect(headers?.['X-Request-Id']).toEqual(wellFormed ? sent : expect.stringMatching(UUID));
    }),
  );
});

test.each(Object.entries(functions))('without a request id, %s makes a new one each time', async (_, ask) => {
  const ids = [await ask({}), await ask({})].map(({ headers }) => headers?.['X-Request-Id']);
  expect(ids).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
  expect(new Set(ids).size).toBe(2);
});

test.each([
  ['the API', 401, 'auth_missing'],
  ['the pages', 404, 'not_found'],
])('%s answer in the error envelope', async (name, status, code) => {
  const { statusCode, headers, body } = (await functions[name]?.({ 'x-request-id': 'mine' })) ?? {};
  expect(statusCode).toBe(status);
  expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  expect(Object.keys(JSON.parse(body ?? '').error)).toEqual([
    ...['code', 'type', 'message', 'doc_url', 'request_id'],
  ]);
  expect(JSON.parse(body ?? '').error).toMatchObject({ code, request_id: 'mine' });
});

test('inbound sync answers in its own short form', async () => {
  const { statusCode, headers, body } = (await functions['inbound sync']?.({})) ?? {};
  expect(statusCode).toBe(404);
  expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  expect(JSON.parse(body ?? '')).toEqual({
    success: false,
    error: 'bridge_not_found',
    message: expect.any(String),
  });
});

test('what a caller must not see is internal_error', async () => {
  const broken = behind(() => {
    throw new Error('the secret');
  });
  const { statusCode, body } = await broken(restEvent('/'), lambdaContext());
  expect([statusCode, JSON.parse(body).error.code]).toEqual([500, 'internal_error']);
  expect(body).not.toContain('secret');
});

test('a reply that cannot be written as JSON is internal_error in the envelope', async () => {
  const broken = behind(() => reply(200, { count: 1n }));
  const { statusCode, body } = await broken(restEvent('/'), lambdaContext());
  expect([statusCode, JSON.parse(body).error.code]).toEqual([500, 'internal_error']);
});

test('a fault of the pages themselves fails the invocation', async () => {
  const { SITE_URL } = process.env;
  delete process.env.SITE_URL;
  const asked = pages(restEvent('/docs'), lambdaContext());
  await expect(asked)
    .rejects.toThrow('SITE_URL')
    .finally(() => Object.assign(process.env, { SITE_URL }));
});

test('the header of a reply wins over the common one', async () => {
  const cached = behind(() => reply(200, {}, { 'Cache-Control': 'public' }));
  const { headers } = await cached(restEvent('/'), lambdaContext());
  expect(headers).toMatchObject({ 'Cache-Control': 'public', 'Content-Type': 'application/json' });
});

test('after a middleware throws, neither the later ones nor the handler run', async () => {
  const reached: string[] = [];
  const stack = edge(renderError)
    .use(readQuery(routes.ResolveEntities))
    .before(() => {
      reached.push('next');
    })
    .handler(() => {
      reached.push('handler');
      return reply(200, {});
    });
  const { statusCode } = await buffered(stack)(restEvent('/v1/entities/resolve'), lambdaContext());
  expect([statusCode, reached]).toEqual([422, []]);
});

test('who calls is checked before the query', async () => {
  const event = { ...restEvent('/v1/runs'), multiValueQueryStringParameters: { limit: ['1', '2'] } };
  expect((await listRuns(event, lambdaContext())).statusCode).toBe(401);
});

test('a reply that the row of a route does not allow does not compile', () => {
  // @ts-expect-error GetNote has no 202.
  api('GetNote', byKey, async () => reply(202, { id: 'n' }));
  // @ts-expect-error The body of a token has no such shape.
  api('CreateEventToken', byKey, async () => reply(200, { token: 1 }));
  api('CreateEventToken', byKey, async () => reply(200, { event_token: 't', expires_at: 1 }));
});

test.each([
  ['a connection that was refused', { code: 'ECONNREFUSED' }, 503],
  ['a service that fails', { $metadata: { httpStatusCode: 500 } }, 503],
  ['too many requests', { name: 'ProvisionedThroughputExceededException' }, 503],
  ['a right that is missing', { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } }, 500],
])(
  '%s, after all tries of the client, is answered with or without a time to retry',
  async (_, properties, status) => {
    const handler = behind(() => {
      throw Object.assign(new Error('as asked'), { $metadata: {} }, properties);
    });
    const reply = await handler(restEvent('/v1/runs'), lambdaContext());
    expect(reply.statusCode).toBe(status);
    expect(reply.headers?.['Retry-After']).toBe(status === 503 ? '5' : undefined);
  },
);

/** The context of an invocation whose time is nearly up. */
const hurried = (): Context => ({ ...lambdaContext(), getRemainingTimeInMillis: () => 2_010 });
const never = () => new Promise<never>(() => {});
const passing = {
  statusCode: 503,
  headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
  body: expect.stringContaining('service_unavailable'),
};

test('a handler that is not done when its function must end is answered as trouble that passes', async () => {
  const slow = buffered(edge(renderError).handler(never));
  expect(await slow(restEvent('/v1/runs'), hurried())).toMatchObject(passing);
});

test('so is a request whose key cannot be looked up in time', async () => {
  process.env.SERVICE_SECRET_ARN = 'secret';
  const secrets = mockClient(SecretsManagerClient).on(GetSecretValueCommand).callsFake(never);
  const headers = { authorization: `Bearer sk_${'0'.repeat(32)}_a` };
  expect(await listRuns(restEvent('/v1/runs', { headers }), hurried())).toMatchObject(passing);
  secrets.restore();
});
