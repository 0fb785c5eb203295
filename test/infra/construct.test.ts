// The construct in the apps of others: the same template whatever they set, and a part of a stack that they have.
import { readFileSync } from 'node:fs';
import { App, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { User } from 'aws-cdk-lib/aws-iam';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { FLAGS } from 'aws-cdk-lib/cx-api';
import { beforeAll, expect, test } from 'vitest';
import { checkCdk } from '../../lib/package/check-peers.ts';
import type { RunServiceProps } from '../../lib/props.ts';
import type { RunService as Published } from '../../lib/published.d.ts';
import { settingProps } from '../../lib/read-props.ts';
import { RunService } from '../../lib/run-service.ts';
import project from '../../package.json' with { type: 'json' };
import { synthesize } from '../support/synthesize.ts';

beforeAll(() => {
  // The engine's own check of the template takes seconds.
  process.env.CDK_VALIDATION = 'false';
});

const sourceOf = () => ({ code: Code.fromInline('0'), handler: 'index.handler' });
const offline: RunServiceProps = { model: 'offline' };
const make = (scope: Stack | App | Stage, id: string, props: RunServiceProps = offline) =>
  new RunService(scope, id, props, { sourceOf, release: project.version });
const resourcesOf = (stack: Stack): Record<string, unknown> => Template.fromStack(stack).toJSON().Resources;

/** All flags otherwise than we set them. */
function flagsTurned(): Record<string, unknown> {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const flags = Object.entries(FLAGS).filter(
    ([name, { introducedIn }]) => introducedIn.v2 && context[name] !== 'weak',
  );
  return Object.fromEntries(flags.map(([name]) => [name, context[name] !== true]));
}

test.each([
  ['no flags', {}],
  ['all flags turned round', flagsTurned()],
])('below an app with %s it makes the template of the repository', (_, context) => {
  const service = make(new App({ context }), 'RunService', { ...offline, apiGatewayLogRole: true });
  expect(resourcesOf(Stack.of(service))).toEqual(synthesize().Resources);
});

test('below a stage it is a stack of its own, too', () => {
  const stack = Stack.of(
    make(new Stage(new App(), 'Prod'), 'Runs', { ...offline, env: { region: 'eu-west-1' } }),
  );
  expect([stack.stackName, stack.region, stack.terminationProtection]).toEqual([
    'Prod-Runs',
    'eu-west-1',
    true,
  ]);
});

test('in a stack its resources are of that stack, and the log role of the account is not made', () => {
  const stack = new Stack(new App(), 'Mine');
  const service = make(stack, 'Runs');
  service.grantAdmin(new User(stack, 'Operator'));
  const template = Template.fromStack(stack);
  expect(Stack.of(service)).toBe(stack);
  template.resourceCountIs('AWS::ApiGateway::Account', 0);
  template.hasResourceProperties('AWS::IAM::Policy', {
    PolicyDocument: { Statement: [{ Action: 'lambda:InvokeFunction', Effect: 'Allow' }] },
  });
  const resources = resourcesOf(stack);
  const needed = Object.values(resources).flatMap((one) => Object(one).DependsOn ?? []);
  expect(needed.filter((id: string) => !Object.hasOwn(resources, id))).toEqual([]);
});

test.each([
  [
    {},
    'domain.name: Invalid input: expected string, received undefined; domain.certificate: expected a certificate',
  ],
  ['a.example', 'domain: Invalid input: expected object, received string'],
  [{ name: 'a.example', certificate: {} }, 'domain.certificate: expected a certificate'],
  [
    { name: 'a.example', certificate: { certificateArn: 'arn' }, zone: 1 },
    'domain: Unrecognized key: "zone"',
  ],
])('a wrong domain is named: %j', (domain, wrong) => {
  // As an app of JavaScript may pass it.
  const props: RunServiceProps = Object.assign({}, offline, { domain });
  expect(() => make(new App(), 'Runs', props)).toThrow(`Wrong props of RunService: ${wrong}`);
});

test('an id that makes no name of a stack is refused as such', () => {
  expect(() => make(new App(), 'My runs')).toThrow(/^Wrong props of RunService: the name of its stack: /);
});

test('two in one stack are refused in a line that names the limit', () => {
  const stack = new Stack(new App(), 'Mine');
  make(stack, 'One');
  expect(() => make(stack, 'Two')).toThrow(
    /^Mine has a RunService: two in one stack would exceed its 500 resources/,
  );
});

test('a domain is the address of the service, with a record in its zone', () => {
  const app = new App();
  const stack = new Stack(app, 'Mine');
  const certificate = Certificate.fromCertificateArn(
    stack,
    'C',
    'arn:aws:acm:us-east-1:111122223333:certificate/c',
  );
  const hostedZone = HostedZone.fromHostedZoneAttributes(stack, 'Z', {
    hostedZoneId: 'Z1',
    zoneName: 'acme.example',
  });
  const service = make(stack, 'Runs', {
    ...offline,
    domain: { name: 'runs.acme.example', certificate, hostedZone },
  });
  expect([service.siteUrl, service.baseUrl]).toEqual([
    'https://runs.acme.example',
    'https://runs.acme.example/v1',
  ]);
  const template = Template.fromStack(stack);
  template.hasResourceProperties('AWS::ApiGateway::DomainName', { DomainName: 'runs.acme.example' });
  template.hasResourceProperties('AWS::Route53::RecordSet', { Name: 'runs.acme.example.', Type: 'A' });
});

test.each<[object, string]>([
  [{}, 'model'],
  [{ model: 'bedrok:x' }, 'model'],
  [{ model: 'offline', retaindays: 365 }, 'no prop retaindays'],
  [{ model: 'offline', retain_days: 365 }, 'no prop retain_days'],
  [{ model: 'offline', stack: 'Other' }, 'no prop stack'],
  [{ model: 'offline', retainDays: 1 }, 'retainDays'],
  [{ model: 'offline', reservedConcurrency: { Nope: 1 } }, 'reservedConcurrency'],
  [{ model: 'offline', env: {} }, 'env'],
  [{ model: 'offline', siteUrl: 'https://a.example', domain: { name: 'b.example' } }, 'siteUrl'],
])('the props %j are refused by name, in one line', (props, named) => {
  const refused = () => make(new Stack(new App(), 'Mine'), 'Runs', props as RunServiceProps);
  expect(refused).toThrow(named);
  expect(refused).toThrow(/^[^\n]+$/);
});

test('every setting of a stage is a typed prop', () => {
  const types = readFileSync('lib/props.ts', 'utf8');
  expect(settingProps.filter((name) => !types.includes(`readonly ${name}?:`))).toEqual([]);
});

test('the published types are those of the construct', () => {
  const published: Pick<Published, keyof Published> = make(new App(), 'RunService');
  expect(published.baseUrl).toContain('/v1');
});

test.each(['2.259.9', '1.204.0', '3.0.0', '3.1.0'])(
  'aws-cdk-lib %s is refused with both versions',
  (version) => {
    expect(() => checkCdk(version)).toThrow(
      `run-service-cdk needs aws-cdk-lib 2.260.0 or later, below 3.0.0, and ${version} is installed`,
    );
  },
);

test.each(['2.260.0', '2.273.0', '2.1000.1'])('aws-cdk-lib %s is taken', (version) => {
  expect(() => checkCdk(version)).not.toThrow();
});
