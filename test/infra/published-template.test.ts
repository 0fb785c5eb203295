// The template that needs no bootstrap: its parameters are used, and a stack has no more rights than its model needs.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemplate } from '../../bin/pack/template/make-template.ts';
import { withParameters } from '../../bin/pack/template/parameters.ts';
import { functionNames } from '../../lib/entries.ts';

const to = mkdtempSync(join(tmpdir(), 'run-service-published-'));
const functions = join(to, 'functions');
const file = join(to, 'template/run-service.template.json');
afterAll(() => rmSync(to, { recursive: true, force: true }));

beforeAll(() => {
  process.env.CDK_VALIDATION = 'false';
  for (const name of functionNames) {
    mkdirSync(join(functions, name), { recursive: true });
    writeFileSync(join(functions, name, 'index.mjs'), `// ${name}\n`);
  }
  makeTemplate({ functions, to, version: '1.2.3', bucketPrefix: 'acme-runs' });
}, 60_000);

const text = () => readFileSync(file, 'utf8');
const times = (part: string) => text().split(part).length - 1;

test('it has at most 1,000,000 bytes and asks for no bootstrap', () => {
  expect(Buffer.byteLength(text())).toBeLessThanOrEqual(1_000_000);
  for (const part of ['BootstrapVersion', 'cdk-hnb', 'aws:cdk', to]) expect(text()).not.toContain(part);
});

test('every parameter and condition is used, and no stand-in is left', () => {
  const { Parameters, Conditions } = JSON.parse(text());
  expect(Object.keys(Parameters).toSorted()).toEqual([
    ...['AllowOlderRelease', 'IndexMemoryMb', 'LogRetentionDays', 'Model', 'RetainDays', 'StepMemoryMb'],
  ]);
  for (const name of Object.keys(Parameters)) expect(times(`{"Ref":"${name}"}`), name).toBeGreaterThan(0);
  for (const name of Object.keys(Conditions)) expect(times(`["${name}",`), name).toBeGreaterThan(0);
  expect(text()).not.toMatch(/parameter\.(invalid|bedrock)/);
});

test('the digits of a stand-in in a hash are none, and a stand-in in any other text is refused', () => {
  const template = (text: string) => ({ Resources: { ModelApiKey: {}, Read: { Properties: { text } } } });
  expect(withParameters(template('1.2.3/0a9999f1.zip'))).toMatchObject(template('1.2.3/0a9999f1.zip'));
  expect(() => withParameters(template('at most 9999 MB'))).toThrow('the template still has 9999');
});

test.each([
  ['offline', true],
  ['bedrock:amazon.nova-lite-v1:0', true],
  ['bedrock:us.anthropic.claude-sonnet-4-v1:0', true],
  ['openai:gpt-5@https://api.openai.com/v1', true],
  ['openai:gpt-5@http://api.openai.com/v1', false],
  ['bedrok:x', false],
  ['', false],
])('the model may be %s: %s', (model, allowed) => {
  expect(new RegExp(JSON.parse(text()).Parameters.Model.AllowedPattern).test(model)).toBe(allowed);
});

test.each(['0', '90', '99', '100', '365', '3649', '3650'])('the term may be %s days', (days) => {
  expect(JSON.parse(text()).Parameters.RetainDays.AllowedPattern).toSatisfy((pattern: string) =>
    new RegExp(pattern).test(days),
  );
});

test.each(['1', '89', '3651', '04', '-1', ''])('the term may not be %s days', (days) => {
  expect(new RegExp(JSON.parse(text()).Parameters.RetainDays.AllowedPattern).test(days)).toBe(false);
});

type Intrinsic = unknown;

/** What CloudFormation makes of the intrinsics of a model's ARN. */
function resolved(value: Intrinsic, model: string): string {
  if (typeof value === 'string') return value;
  const [intrinsic] = Object.entries(Object(value));
  const [name, given] = intrinsic ?? [];
  if (name === 'Ref') return given === 'Model' ? model : String(given);
  const args = Array.isArray(given) ? given : [];
  if (name === 'Fn::Join') return args[1].map((one: Intrinsic) => resolved(one, model)).join(args[0]);
  if (name !== 'Fn::Select') throw new Error(`no ${name}`);
  const [delimiter, whole] = args[1]['Fn::Split'];
  const part = resolved(whole, model).split(delimiter)[args[0]];
  if (part === undefined) throw new Error('selects nothing');
  return part;
}

test.each([
  ['offline', []],
  ['openai:gpt-5@https://api.openai.com/v1', []],
  [
    'bedrock:amazon.nova-lite-v1:0',
    [':AWS::Region::foundation-model/amazon.nova-lite-v1:0', ':inference-profile/amazon.nova-lite-v1:0'],
  ],
  [
    'bedrock:us.amazon.nova-lite-v1:0',
    [
      ':AWS::Region::foundation-model/us.amazon.nova-lite-v1:0',
      ':inference-profile/us.amazon.nova-lite-v1:0',
      ':*::foundation-model/amazon.nova-lite-v1:0',
    ],
  ],
])('with %s the functions may call that model alone', (model, ends) => {
  const { Resources } = JSON.parse(text());
  const documents = Object.values(Resources).flatMap((one) => {
    const { PolicyDocument: own, Policies: inline = [] } = Object(one).Properties ?? {};
    return [own, ...inline.map((policy: { PolicyDocument: unknown }) => policy.PolicyDocument)];
  });
  const statements = documents
    .flatMap((one) => one?.Statement ?? [])
    .filter((one) => one.Action === 'bedrock:InvokeModel');
  expect(statements.length).toBeGreaterThan(0);
  for (const { Resource } of statements) {
    const arns: string[] = Resource.map((one: Intrinsic) => resolved(one, model));
    const real = arns.filter(
      (arn) => !/(?:foundation-model|inference-profile)\/(?:none|.*bedrock:.*none)$/.test(arn),
    );
    expect(real.map((arn) => ends.find((end) => arn.endsWith(end)))).toEqual(ends);
  }
});

test('the secret for the key of a model is made where the model has one', () => {
  const { Resources, Conditions } = JSON.parse(text());
  expect(Resources.ModelApiKey.Condition).toBe('HasModelKey');
  expect(JSON.stringify(Conditions.HasModelKey)).toContain('openai');
  // Nothing refers to it without that condition.
  const rest = text().replaceAll(/"Fn::If":\["HasModelKey",(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|"true"),/g, '');
  expect(rest).not.toContain('{"Ref":"ModelApiKey"}');
});

test('an earlier release is let through by a parameter', () => {
  const { Resources, Parameters } = JSON.parse(text());
  expect(Resources.ReleaseMark.Properties).toMatchObject({
    Release: '1.2.3',
    AllowOlderRelease: { Ref: 'AllowOlderRelease' },
  });
  expect(Parameters.AllowOlderRelease).toMatchObject({ Default: 'false', AllowedValues: ['false', 'true'] });
});

test('a term of runs is one of their bodies, and without one old versions still go', () => {
  const [rule, ...others] = JSON.parse(text()).Resources.Bodies.Properties.LifecycleConfiguration.Rules;
  expect(rule).toMatchObject({
    ExpirationInDays: { 'Fn::If': ['HasTerm', { Ref: 'RetainDays' }, { Ref: 'AWS::NoValue' }] },
    ExpiredObjectDeleteMarker: { 'Fn::If': ['HasTerm', { Ref: 'AWS::NoValue' }, true] },
  });
  expect(others.length).toBeGreaterThan(0);
});

test('the zips of the functions are under the version, each once', () => {
  const keys = [...text().matchAll(/"S3Key":"1\.2\.3\/([0-9a-f]+\.zip)"/g)].map(([, name = '']) => name);
  expect(readdirSync(join(to, 'template/1.2.3')).toSorted()).toEqual([...new Set(keys)].toSorted());
  const [some = ''] = keys;
  const code = unzipSync(readFileSync(join(to, 'template/1.2.3', some)))['index.mjs'];
  expect(strFromU8(code ?? new Uint8Array())).toMatch(/^\/\/ /);
  expect(times(`{"Fn::Sub":"acme-runs-\${AWS::Region}"}`)).toBe(keys.length);
});

test('the Terraform module names the bucket of its region and the version', () => {
  const terraform = readFileSync(join(to, 'terraform/main.tf'), 'utf8');
  expect(terraform).toContain(`https://acme-runs-\${data.aws_region.current.id}.s3.`);
  expect(terraform).toContain('/1.2.3/run-service.template.json"');
});
