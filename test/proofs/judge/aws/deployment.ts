// Deploys the synthesized template with moto's CloudFormation, and reads the variables that it gives to the functions.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import * as z from 'zod';
import { misreadTags, unknownTypes } from './differences.ts';

/** Any credentials will do: moto does not check permissions. */
export const access = { accessKeyId: 'judge', secretAccessKey: 'judge', region: 'us-east-1' };
const STACK = 'RunService';
const CREATED_MS = 120_000;

const Resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});
const Template = z.looseObject({ Resources: z.record(z.string(), Resource), Outputs: z.unknown() });
type Template = z.infer<typeof Template>;
const Assets = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string(), packaging: z.enum(['zip', 'file']) }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});
const Configuration = z.object({
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }).optional(),
});

export interface Deployed {
  /** How many resources of each type the template has, and how many of them exist. */
  types: Map<string, { declared: number; made: number }>;
  /** The variables of all functions, with every reference resolved, and queues on loopback. */
  variables: Record<string, string>;
}

/** A call that must succeed; its reply as text. Throws Error with the reply otherwise. */
async function call(
  url: string,
  service: string,
  init: { method: string; body?: string | Buffer<ArrayBuffer>; headers?: Record<string, string> },
): Promise<string> {
  const reply = await new AwsClient({ ...access, service, retries: 0 }).fetch(url, init);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${service} ${url}: ${reply.status} ${text}`);
  return text;
}

/** Creates the stack of an assembly, as far as moto can. Throws Error with the reason of a refusal. */
export async function deploy(moto: string, assembly: string): Promise<Deployed> {
  const template = Template.parse(JSON.parse(readFileSync(join(assembly, `${STACK}.template.json`), 'utf8')));
  await saveAssets(moto, assembly);
  const known = withoutTypes(withoutTags(template, misreadTags), unknownTypes);
  await call(`${moto}/${assetsBucket}/template.json`, 's3', { method: 'PUT', body: JSON.stringify(known) });
  await putBootstrapVersion(moto);
  await form(moto, {
    Action: 'CreateStack',
    StackName: STACK,
    TemplateURL: `https://s3.amazonaws.com/${assetsBucket}/template.json`,
    'Capabilities.member.1': 'CAPABILITY_IAM',
  });
  await created(moto);
  const resources = await form(moto, { Action: 'DescribeStackResources', StackName: STACK });
  const types = new Map<string, { declared: number; made: number }>();
  const countOf = (type: string) => {
    const count = types.get(type) ?? { declared: 0, made: 0 };
    types.set(type, count);
    return count;
  };
  for (const { Type } of Object.values(template.Resources)) countOf(Type).declared += 1;
  for (const type of valuesOf(resources, 'ResourceType')) countOf(type).made += 1;
  const variables = { ...(await variablesOf(moto)), SERVICE_SECRET_ARN: await createSecret(moto) };
  return { types, variables };
}

const form = (moto: string, fields: Record<string, string>) =>
  call(`${moto}/`, 'cloudformation', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ Version: '2010-05-15', ...fields }).toString(),
  });

const valuesOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value = '']) => value);

/** Waits until the stack is complete. Throws Error with its events when it fails. */
async function created(moto: string): Promise<void> {
  for (const end = Date.now() + CREATED_MS; ; ) {
    const stacks = await form(moto, { Action: 'DescribeStacks', StackName: STACK });
    const [status] = valuesOf(stacks, 'StackStatus');
    if (status === 'CREATE_COMPLETE') return;
    if (status !== 'CREATE_IN_PROGRESS' || Date.now() > end)
      throw new Error(`${status}: ${await form(moto, { Action: 'DescribeStackEvents', StackName: STACK })}`);
  }
}

const json = (moto: string, service: string, target: string, body: object) =>
  call(`${moto}/`, service, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': target },
    body: JSON.stringify(body),
  });

/** What `cdk bootstrap` leaves in an account, which the template reads. */
const putBootstrapVersion = (moto: string) =>
  json(moto, 'ssm', 'AmazonSSM.PutParameter', {
    Name: '/cdk-bootstrap/hnb659fds/version',
    Type: 'String',
    Value: '30',
  });

/** The ARN of the secret, which moto's CloudFormation does not make. */
async function createSecret(moto: string): Promise<string> {
  const secret = { Name: 'service', SecretString: 'x'.repeat(64) };
  const made = await json(moto, 'secretsmanager', 'secretsmanager.CreateSecret', secret);
  return z.object({ ARN: z.string() }).parse(JSON.parse(made)).ARN;
}

/** The assets under the names and in the bucket that the template asks for. */
async function saveAssets(moto: string, assembly: string): Promise<void> {
  const { files } = Assets.parse(JSON.parse(readFileSync(join(assembly, `${STACK}.assets.json`), 'utf8')));
  const folder = mkdtempSync(join(tmpdir(), 'judge-aws-'));
  await call(`${moto}/${assetsBucket}`, 's3', { method: 'PUT' });
  for (const [id, { source, destinations }] of Object.entries(files)) {
    const path = join(assembly, source.path);
    const zip = join(folder, id);
    const makeZip = `import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[2])`;
    if (source.packaging === 'zip') execFileSync('python3', ['-c', makeZip, zip, path]);
    const body = Buffer.from(readFileSync(source.packaging === 'zip' ? `${zip}.zip` : path));
    for (const { objectKey } of Object.values(destinations))
      await call(`${moto}/${assetsBucket}/${objectKey}`, 's3', { method: 'PUT', body });
  }
  rmSync(folder, { recursive: true });
}

/** The bucket that `cdk bootstrap` makes, in the account that moto has. */
const assetsBucket = 'cdk-hnb659fds-assets-123456789012-us-east-1';

/** Without the tags of these types. */
function withoutTags(template: Template, types: readonly string[]): Template {
  const Resources = Object.entries(template.Resources).map(([id, { Properties, ...rest }]) => {
    const { Tags, ...others } = Properties;
    return [id, { ...rest, Properties: types.includes(rest.Type) ? others : Properties }];
  });
  return { ...template, Resources: Object.fromEntries(Resources) };
}

/** Without these types, their outputs and what refers to them: such a reference becomes a name that nothing has. */
function withoutTypes(template: Template, types: readonly string[]): unknown {
  const all = Object.entries(template.Resources);
  const gone = new Set(all.filter(([, { Type }]) => types.includes(Type)).map(([id]) => id));
  const Resources = Object.fromEntries(all.filter(([id]) => !gone.has(id)));
  const { Outputs: _, ...rest } = template;
  return resolved({ ...rest, Resources }, gone);
}

function resolved(value: unknown, gone: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, gone));
  if (typeof value !== 'object' || value === null) return value;
  const {
    Ref: ref,
    'Fn::GetAtt': attribute,
    DependsOn: waits,
    ...rest
  }: Record<string, unknown> = { ...value };
  const target = typeof ref === 'string' ? ref : Array.isArray(attribute) ? String(attribute[0]) : '';
  if (gone.has(target)) return `arn:aws:judge:us-east-1:123456789012:absent/${target}`;
  const left = [waits ?? []].flat().filter((id) => !gone.has(String(id)));
  const members = Object.entries(rest).map(([name, member]) => [name, resolved(member, gone)]);
  return {
    ...Object.fromEntries(members),
    ...(ref !== undefined && { Ref: ref }),
    ...(attribute !== undefined && { 'Fn::GetAtt': attribute }),
    ...(left.length > 0 && { DependsOn: left }),
  };
}

async function variablesOf(moto: string): Promise<Record<string, string>> {
  const listed = await call(`${moto}/2015-03-31/functions?MaxItems=200`, 'lambda', { method: 'GET' });
  const { Functions } = z.object({ Functions: z.array(Configuration) }).parse(JSON.parse(listed));
  const all = Functions.flatMap(({ Environment }) => Object.entries(Environment?.Variables ?? {}));
  // The SDK sends to the host of a queue's URL, which moto makes one of AWS.
  return Object.fromEntries(
    all.map(([name, value]) => [name, value.replace(/^https:\/\/sqs\.[^/]+\.amazonaws\.com/, moto)]),
  );
}
