// rules.md: request 9. What a refusal repeats of a hostile body is bounded, and so is the time to find it.
import { expect, onTestFinished, test, vi } from 'vitest';
import { EntityRef } from '../../../functions/contract/entities.ts';
import { ApiError, type ErrorEnvelope, errorCodes } from '../../../functions/contract/errors.ts';
import { limits } from '../../../functions/contract/limits.ts';
import { RerunRun } from '../../../functions/contract/runs.ts';
import { lambdaContext, restEvent } from '../../support/gateway-events.ts';

Object.assign(process.env, { SITE_URL: 'http://127.0.0.1', POWERTOOLS_LOG_LEVEL: 'SILENT' });
const { buffered } = await import('#edge/buffered.ts');
const { check } = await import('#edge/check-schema.ts');
const { edge } = await import('#edge/edge.ts');
const { readJson } = await import('#edge/read-json-body.ts');
const { renderError } = await import('#edge/render-error.ts');
const { reply } = await import('#edge/replies.ts');
const { checkCreate } = await import('#domain/commands/check-create.ts');

const many = (length: number, member: (i: number) => string) => Array.from({ length }, (_, i) => member(i));
const query = (rest: string) => `{"input_type":"query","query":"x",${rest}}`;
const params = (of: string) =>
  `{"input_type":"plan","plan":{"title":"x","steps":[{"kind":"fetch","title":"x","params":${of}}]}}`;

/** Bodies of valid JSON, each within 1 MB. */
const bodies = {
  'numbers beyond all measure below a long name': query(
    `"${'k'.repeat(200_000)}":[${many(25_000, () => '1e999')}]`,
  ),
  'numbers beyond all measure': query(`"k":[${many(150_000, () => '1e999')}]`),
  'unknown fields': query(`${many(80_000, (i) => `"k${i}":1`)}`),
  'unknown fields with long names': query(`${many(99, (i) => `"${'k'.repeat(9_000)}${i}":1`)}`),
  'reserved names': query(`"k":[${many(60_000, () => '{"__proto__":1}')}]`),
  'lone surrogates': query(`"k":[${many(100_000, () => '"\\ud800"')}]`),
  'wrong metadata': query(`"metadata":{${many(80_000, (i) => `"k${i}":1`)}}`),
  'long wrong metadata': query(`"metadata":{${many(90, (i) => `"${'m'.repeat(10_000)}${i}":1`)}}`),
  'types that are no texts': params(`{"entity_types":[${many(400_000, () => '1')}]}`),
  'conditions that are none': params(`{"where":{"and":[${many(200_000, () => '{}')}]}}`),
  'one name many times': query(`"metadata":{${many(80_000, () => '"k":1')}}`),
  'deep names': query(
    `"k":${many(60, (i) => `{"${'d'.repeat(15_000)}${i}":`).join('')}1e999${'}'.repeat(60)}`,
  ),
};

async function refusal(body: string, status = 422): Promise<{ size: number; error: ErrorEnvelope['error'] }> {
  const handler = buffered(
    edge(renderError).handler(async (_event, { request }) => {
      const value = readJson(request);
      return reply(
        200,
        body.startsWith('{"input_type"') ? checkCreate(value, check) : check(RerunRun, value),
      );
    }),
  );
  const event = { ...restEvent('/'), body, headers: { 'Content-Type': 'application/json' } };
  const answer = await handler(event, lambdaContext());
  expect(answer.statusCode).toBe(status);
  return { size: Buffer.byteLength(answer.body), error: JSON.parse(answer.body).error };
}

test.each(Object.entries(bodies))('%s: a short refusal, at once', async (_, body) => {
  expect(body.length).toBeLessThan(limits.body_max_bytes);
  const started = process.threadCpuUsage();
  const { size, error } = await refusal(body);
  expect(process.threadCpuUsage(started).user / 1000).toBeLessThan(500);
  expect(error.code).toBe('schema_validation_failed');
  expect(size).toBeLessThanOrEqual(limits.error_reply_max_bytes);
  expect(error.param?.length ?? 0).toBeLessThanOrEqual(limits.error_value_max_characters);
});

test('an output_schema that is too large is refused before its properties are checked', async () => {
  const properties = many(900, (i) => `"k${i}":{"type":"object","properties":{"a":{"type":"strin"}}}`);
  const large = `{"type":"object","properties":{${properties},"z":{"title":"${'z'.repeat(20_000)}"}}}`;
  const { error } = await refusal(query(`"output_schema":${large}`));
  expect(error.param).toBe('output_schema');
  expect(Object(error.details).issues).toHaveLength(1);
});

test('a plan with as many conditions as it may have is read at once', () => {
  const or = (members: string[]) => `{"or":[${members}]}`;
  const twenty = (k: number) =>
    or(many(k, (i) => `{"field":"f","op":"contains","value":"part ${i} of a text"}`));
  const step = `{"kind":"fetch","title":"x","params":{"where":${or([twenty(20), twenty(20), twenty(10)])}}}`;
  const plan = { title: 'x', steps: many(50, () => step).map((text) => JSON.parse(text)) };
  const body = { input_type: 'plan', plan };
  const started = process.threadCpuUsage();
  checkCreate(body, check);
  // Of that, a schema made for each condition would take most.
  expect(process.threadCpuUsage(started).user / 1000).toBeLessThan(200);
});

test('the first issues are listed in full', async () => {
  const { error } = await refusal(query(`${many(150, (i) => `"k${i}":1`)}`));
  const { issues } = Object(error.details);
  expect(issues).toHaveLength(limits.issues_max);
  expect(issues[99]).toMatchObject({ path: ['k99'], message: 'Unknown field "k99"', received: 'number' });
});

test('of a body the first object with too many members is named', async () => {
  const body = query(`"params":{"a":[1,{${many(50_000, (i) => `"k${i}":[{},"}"]`)}}]}`);
  const { error } = await refusal(body);
  expect(error).toMatchObject({ param: 'params.a.1', message: expect.any(String) });
  expect(Object(error.details).issues).toMatchObject([
    { path: ['params', 'a', 1], expected: 'at most 1000 members', received: 'more' },
  ]);
});

test('1,000 members are accepted, wherever they are', async () => {
  const object = `{${many(1_000, (i) => `"k${i}":[1,{"a":1,"b":"x,y"}]`)}}`;
  const body = Buffer.from(`[${many(3, () => object)}]`);
  const request = { headers: { 'content-type': 'application/json' }, body, body_bytes: body.length };
  expect(
    await readJson({ method: 'POST', resource: '/', path: '/', query: {}, params: {}, ...request }),
  ).toEqual(JSON.parse(body.toString()));
});

test.each([
  ['text', '"x"', '"'.concat('x'.repeat(350_000), '"')],
  ['an object', '{"a":1}', `{"a":${'[1,'.repeat(40)}"${'x'.repeat(350_000)}"${']'.repeat(40)}}`],
  ['a list', '[1]', `[${many(100_000, () => '1')}]`],
])(
  'a wrong input_type is repeated in full while short, and only its beginning when long: %s',
  async (_, short, long) => {
    const repeated = async (value: string) => {
      const { size, error } = await refusal(`{"input_type":${value},"query":"x"}`, 400);
      expect(error.code).toBe('unsupported_input_type');
      expect(size).toBeLessThan(2000);
      return Object(error.details).received;
    };
    expect(await repeated(short)).toEqual(JSON.parse(short));
    expect((await repeated(long)).length).toBe(limits.error_value_max_characters);
  },
);

// The character that takes most bytes with each code, the others with one code in four.
test.each([
  ['\u0001', 1],
  ['x', 4],
  ['\ud800', 4],
  ['\u{1f600}', 4],
] as const)('a refusal fits into 16 KB whatever it repeats: %j', (character, every) => {
  const long = character.repeat(2_000);
  const issue = { code: long, expected: long, received: long, path: Array(8).fill(long), message: long };
  for (const code of errorCodes.filter((_, i) => i % every === 0)) {
    const details = {
      received: { [long]: long },
      ref: { external_uri: long },
      question: long,
      issues: Array(100).fill(issue),
      [long]: { deep: [[long]] },
    };
    const error = new ApiError(code, { message: long, param: long, details });
    const reply = JSON.stringify(renderError(error, 'r').body);
    expect(Buffer.byteLength(reply)).toBeLessThanOrEqual(limits.error_reply_max_bytes);
    expect(reply).not.toContain(JSON.stringify(character.repeat(1001)).slice(1, -1));
  }
});

test('of each value that was sent, a refusal repeats at most 200 characters', () => {
  const long = 'x'.repeat(300);
  const issue = { code: 'custom', expected: 'y', received: long, path: ['a', long], message: long };
  const details = { received: long, issues: [issue] };
  const error = new ApiError('schema_validation_failed', { message: long, param: long, details });
  expect(JSON.stringify(renderError(error, 'r').body)).not.toContain('x'.repeat(201));
});

test('a well-formed reference comes back whole', () => {
  const ref = { external_uri: `crm:${'é'.repeat(996)}` };
  expect(EntityRef.parse(ref)).toEqual(ref);
  const { error } = renderError(new ApiError('entity_not_resolvable', { details: { ref } }), 'r').body;
  expect(error.details).toEqual({ ref });
});

test.each([
  ['arrays', '['.repeat(500_000) + ']'.repeat(500_000), 422],
  ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 422],
  ['arrays that do not end', '['.repeat(1_000_000), 400],
  ['arrays that end as objects', '['.repeat(500_000) + '}'.repeat(500_000), 400],
])('a body of nested %s is judged before it is parsed', async (_, body, status) => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const { error } = await refusal(body, status);
  // The reply alone.
  expect(parse.mock.calls).toHaveLength(1);
  expect(error.code).toBe(status === 422 ? 'schema_validation_failed' : 'invalid_json');
});
