// rules.md: errors 7. An error's message is enough by itself: the field, what is wrong, what to do.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
});

const query = 'Companies in Berlin';
const run = (change: object) => ['POST', '/runs', { input_type: 'query', query, ...change }] as const;
const step = (change: object, more: object = {}) =>
  [
    'POST',
    '/runs',
    { input_type: 'plan', plan: { title: 'T', steps: [{ kind: 'fetch', title: 'F', ...change }] }, ...more },
  ] as const;
const where = (condition: unknown) => step({ params: { entity_types: ['company'], where: condition } });
const id = '00000000-0000-4000-8000-000000000001';
const monitor = (change: object) =>
  [
    'POST',
    '/monitors',
    { name: 'M', on: { cron: '0 7 * * *' }, run: { input_type: 'query', query }, ...change },
  ] as const;

/** A mistake, the request that has it, and the message that it gets. */
const mistakes: (readonly [string, readonly [string, string, unknown?], string])[] = [
  [
    'a misspelled field',
    ['POST', '/runs', { input_type: 'query', qeury: query }],
    '`qeury` is no field. Did you mean `query`?',
  ],
  [
    'a misspelled field beside the right ones',
    run({ metdata: {} }),
    '`metdata` is no field. Did you mean `metadata`?',
  ],
  [
    'camel case',
    ['POST', '/runs', { inputType: 'query', query }],
    '`inputType` is no field. Did you mean `input_type`?',
  ],
  [
    'a field that is none',
    run({ colour: 'red' }),
    '`colour` is no field. There is `input_type`, `query`, `output_schema`, `config`, `callback_url`, `metadata`.',
  ],
  ['no query', ['POST', '/runs', { input_type: 'query' }], '`query` is missing. Send a string.'],
  ['an empty query', run({ query: '' }), '`query` must have at least 1 character.'],
  ['a query that is a number', run({ query: 7 }), '`query` must be a string, not a number.'],
  [
    'no input_type',
    ['POST', '/runs', { query }],
    '`input_type` is missing. Send "query", "plan" or "preset".',
  ],
  [
    'a misspelled input_type',
    ['POST', '/runs', { input_type: 'qury', query }],
    '`qury` is no input_type. Did you mean `query`?',
  ],
  [
    'a misspelled preset',
    ['POST', '/runs', { input_type: 'preset', preset: 'dosier' }],
    '`dosier` is no preset. Did you mean `dossier`?',
  ],
  ['a list as body', ['POST', '/runs', []], 'The body must be an object, not a list.'],
  [
    'a text as body',
    ['POST', '/runs', 'query'],
    'The body is not valid JSON at line 1, column 1: a value is expected there.',
  ],
  [
    'a misspelled flag',
    run({ config: { strict_mod: true } }),
    '`config.strict_mod` is no field. Did you mean `strict_mode`?',
  ],
  [
    'a flag that is a text',
    run({ config: { strict_mode: 'yes' } }),
    '`config.strict_mode` must be true or false, not a string.',
  ],
  [
    'a limit below its bound',
    run({ config: { timeout_seconds: 0 } }),
    '`config.timeout_seconds` must be at least 1, not 0.',
  ],
  [
    'a limit above its bound',
    run({ config: { timeout_seconds: 10_000_000 } }),
    '`config.timeout_seconds` must be at most 86400, not 10000000.',
  ],
  [
    'a number that is not whole',
    run({ config: { timeout_seconds: 1.5 } }),
    '`config.timeout_seconds` must be a whole number.',
  ],
  [
    'a callback over http',
    run({ callback_url: 'http://example.com/hook' }),
    'The callback URL cannot be used: the scheme is not https. Send an https URL.',
  ],
  [
    'a callback with a password',
    run({ callback_url: 'https://me:geheim@example.com/' }),
    'The callback URL cannot be used: it is not an unambiguous absolute URL: it has no host, contains credentials, has a doubtful spelling or a port that is not allowed. Send a plain URL.',
  ],
  [
    'a callback that is no URL',
    run({ callback_url: 'example' }),
    'The callback URL cannot be used: it is not an unambiguous absolute URL: it has no host, contains credentials, has a doubtful spelling or a port that is not allowed. Send a plain URL.',
  ],
  [
    'metadata with a number',
    run({ metadata: { team: 7 } }),
    '`metadata.team` must be a string, not a number.',
  ],
  [
    'a misspelled kind of step',
    step({ kind: 'fetchh' }),
    '`plan.steps.0.kind` cannot be "fetchh". Did you mean "fetch"?',
  ],
  [
    'a step without a kind',
    ['POST', '/runs', { input_type: 'plan', plan: { title: 'T', steps: [{ title: 'F' }] } }],
    '`plan.steps.0.kind` is missing. Send "fetch", "vector_search", "filter", "transform", "analyze", "discover", "reconstitute" or "inject_context".',
  ],
  [
    'a plan without steps',
    ['POST', '/runs', { input_type: 'plan', plan: { title: 'T', steps: [] } }],
    '`plan.steps` must have at least 1 entry.',
  ],
  ['no plan', ['POST', '/runs', { input_type: 'plan' }], '`plan` is missing. Send an object.'],
  [
    'a misspelled param',
    step({ params: { wher: {} } }),
    '`plan.steps.0.params.wher` is no field. Did you mean `where`?',
  ],
  [
    'a condition as a pair',
    where({ city: 'Berlin' }),
    '`plan.steps.0.params.where.field` is missing. A condition is like {"field": "city", "op": "=", "value": "Berlin"}.',
  ],
  [
    'an operator of JavaScript',
    where({ field: 'city', op: '==', value: 'Berlin' }),
    '`plan.steps.0.params.where.op` cannot be "==". Did you mean "="?',
  ],
  [
    'a condition without a value',
    where({ field: 'city', op: '=' }),
    '`plan.steps.0.params.where.value` is missing. A condition is like {"field": "city", "op": "=", "value": "Berlin"}.',
  ],
  [
    'a condition as a text',
    where('city = Berlin'),
    '`plan.steps.0.params.where` must be an object, not a string. A condition is like {"field": "city", "op": "=", "value": "Berlin"}.',
  ],
  [
    'a group that is a text',
    step({ params: { group_by: 'city' } }),
    '`plan.steps.0.params.group_by` must be a list, not a string.',
  ],
  [
    'a reference to a later step',
    step({ kind: 'filter', instructions: 'x', params: { steps_to_filter: [3] } }),
    '`plan.steps.0.params.steps_to_filter.0`: no earlier step has this index.',
  ],
  [
    'a misspelled query parameter',
    ['GET', '/runs?statuss=failed'],
    '`statuss` is no query parameter. Did you mean `status`?',
  ],
  ['a misspelled status', ['GET', '/runs?status=faild'], '`status` cannot be faild. Did you mean failed?'],
  ['a limit that is a word', ['GET', '/runs?limit=ten'], '`limit`: not a whole number.'],
  ['a limit too large', ['GET', '/runs?limit=1000'], '`limit` must be at most 100, not 1000.'],
  [
    'a cursor of another list',
    ['GET', '/runs?cursor=abc'],
    '`cursor`: this cursor was not issued here. Expected: a cursor of this list.',
  ],
  [
    'a parameter twice',
    ['GET', '/runs?limit=1&limit=2'],
    '`limit`: the parameter was sent more than once. Expected: one value.',
  ],
  ['a misspelled group of usage', ['GET', '/usage?by=dya'], '`by` cannot be dya. Did you mean day?'],
  ['a date that is none', ['GET', '/usage?from=2026-02-30'], '`from`: not a date like 2026-11-20.'],
  [
    'a misspelled cron',
    monitor({ on: { cron: '0 25 * * *' } }),
    '`on.cron`: this is no cron pattern. Expected: five fields of *, numbers, lists, ranges and steps.',
  ],
  [
    'a misspelled field of a monitor',
    monitor({ notfy: 'always' }),
    '`notfy` is no field. Did you mean `notify`?',
  ],
  [
    'a misspelled time zone',
    monitor({ on: { cron: '0 7 * * *', timezone: 'Europe/Berln' } }),
    '`on.timezone`: there is no such time zone. Expected: the name of an IANA time zone.',
  ],
  [
    'a scope that is none',
    ['POST', '/keys', { name: 'K', scopes: ['runs:reed'] }],
    '`scopes.0` cannot be "runs:reed". Did you mean "runs:read"?',
  ],
  ['no refs', ['GET', '/entities/resolve?refs='], '`refs`: refs is not JSON.'],
  [
    'an artifact in no format',
    ['GET', `/artifacts/${id}?format=cvs`],
    '`format` cannot be "cvs". Did you mean "csv"?',
  ],
  [
    'records that are a text',
    ['POST', '/entities/import', { records: 'x' }],
    '`records` must be a list, not a string.',
  ],
  [
    'a rerun without a step',
    ['POST', `/runs/${id}/rerun-from`, {}],
    '`step_index` is missing. Send a number.',
  ],
  [
    'no subject',
    run({ query: 'What data do you have?' }),
    'The query does not say what it is about. Name records, or a type of them. There are records of these types: company, person.',
  ],
  [
    'JSON with a comma too many',
    ['POST', '/runs', Buffer.from('{"input_type": "query",\n "query": "x",}')],
    'The body is not valid JSON at line 2, column 15: a name in double quotes is expected there.',
  ],
  [
    'JSON that is cut off',
    ['POST', '/runs', Buffer.from('{"input_type": "query"')],
    'The body is not valid JSON at line 1, column 23: `,` or `}` is expected there.',
  ],
  [
    'single quotes',
    ['POST', '/runs', Buffer.from("{'input_type': 'query'}")],
    'The body is not valid JSON at line 1, column 2: a name in double quotes or `}` is expected there.',
  ],
  ['no body', ['POST', '/runs', Buffer.from('')], 'The body is empty: send one JSON document.'],
];

test.each(mistakes)('rule 7: %s', async (_, [method, path, body], message) => {
  const reply = await call(method, path, { key: home.key, ...(body !== undefined && { body }) });
  expect(reply.body.error?.message).toBe(message);
});

test('rule 7: a key without its scheme is not "no key"', async () => {
  const sent = (authorization?: string) =>
    call('GET', '/me', authorization === undefined ? {} : { headers: { authorization } });
  expect((await sent(home.key)).body.error).toMatchObject({
    code: 'auth_missing',
    message:
      'The Authorization header has no `Bearer ` before the key: send `Authorization: Bearer <API_KEY>`.',
  });
  expect((await sent()).body.error.message).toBe('No API key was sent.');
});

test('rule 7: a message says why a run cannot be continued', async () => {
  const { body } = await when.createsPlanRun(home, [when.answer]);
  await then.ended(home, body.id);
  expect((await when.resumes(home, body.id)).body.error.message).toBe(
    'The run has succeeded, so nothing is left to do. Rerun it from a step to get another result.',
  );
  expect((await when.rerunsFrom(home, body.id, 7)).body.error.message).toBe(
    'The run has no step 7: its indexes go from 0 to 0.',
  );
});

test('rule 7: a message repeats little of what was sent, in one line, and no secrets', async () => {
  const messageOf = async (change: object): Promise<string> => {
    const [method, path, body] = run(change);
    return (await call(method, path, { key: home.key, body })).body.error.message;
  };
  const long = await messageOf({ ['x'.repeat(5000)]: 1 });
  expect(long.length).toBeLessThan(250);
  expect(await messageOf({ 'a\u0000b\u202ec\nd': 1 })).toMatch(/^`a b c d` is no field\./);
  expect(await messageOf({ [home.key]: 1 })).not.toContain(home.key.slice(3));
  expect(await messageOf({ input_type: 'https://me:geheim@host/' })).not.toContain('geheim');
});
