// Who may do what: rules for all roles, and a snapshot in which a changed right is a visible line.
import { describe, expect, test } from 'vitest';
import { httpFunctions, routeNames, routes } from '../../functions/contract/routes.ts';
import { type FunctionName, functionNames } from '../../lib/entries.ts';
import { needs, type Permissions, permissions } from '../../lib/permissions.ts';
import { fields, functionOf, list, ofType, synthesize, text } from '../support/synthesize.ts';
import { rightsOf, roleOf, statementsOf } from './policies.ts';

const template = synthesize();

/** Every role and, for each resource, what the role may do. */
function allRights(): string {
  const roles = Object.keys(ofType(template, 'AWS::IAM::Role')).sort();
  const blocks = roles.map((role) => {
    const rights = Object.entries(rightsOf(template, role)).sort();
    return [role, ...rights.map(([resource, actions]) => `  ${resource}: ${actions}`), ''].join('\n');
  });
  return blocks.join('\n');
}

/** Logical id of the log group that a function writes to. */
const logsOf = (name: FunctionName) => {
  const logging = fields(functionOf(template, name).LoggingConfig);
  return text(logging.LogGroup).slice(1, -1);
};

describe('rights', () => {
  test('every role may do exactly what is recorded; `vitest run test/infra/rights.test.ts -u` records a change', async () => {
    await expect(allRights()).toMatchFileSnapshot('rights.snapshot.txt');
  });

  test.each(functionNames)(
    '%s writes its own log and its traces, and that is all it shares with others',
    (name) => {
      const rights = rightsOf(template, roleOf(template, name));
      expect(rights['*']).toBe('xray:PutTelemetryRecords xray:PutTraceSegments');
      expect(rights[`<${logsOf(name)}.Arn>`]).toBe('logs:CreateLogStream logs:PutLogEvents');
    },
  );

  test('a sealed secret is decrypted for the kind of owner that a function needs, and for no other', () => {
    const bridge = '????????-????-????-????-????????????';
    const found = functionNames.flatMap((name) => {
      const right = rightsOf(template, roleOf(template, name))['<SigningKey.Arn>'];
      return right === undefined ? [] : [[name, right]];
    });
    expect(Object.fromEntries(found)).toEqual({
      Keys: 'kms:Encrypt(key_*)',
      Sync: `kms:Decrypt(${bridge})`,
      ExecuteSteps: 'kms:Decrypt(source *)',
      DeliverWebhook: 'kms:Decrypt(key_*|source *)',
      Admin: `kms:Decrypt(source *) kms:Encrypt(key_*|${bridge}|source *)`,
    });
  });

  test('a strong right is shared only by routes that need it', () => {
    const strong = (row: Permissions) => [
      ...(row.model === 'call' ? ['model'] : []),
      ...(row.embedding ? ['embedding'] : []),
      ...(row.service_secret ? ['service secret'] : []),
      ...(row.seals ?? []).map((owner) => `seals ${owner}`),
      ...(row.unseals ?? []).map((owner) => `unseals ${owner}`),
      ...(row.bodies ?? []).filter((action) => action !== 'GetObject'),
      ...(row.runs ?? []).filter((action) => action === 'StartExecution'),
    ];
    for (const name of routeNames)
      expect(strong(needs[name]).sort(), name).toEqual(strong(permissions[routes[name].function]).sort());
  });

  test('a function that serves routes may do what one of them needs, and nothing else', () => {
    for (const name of httpFunctions) {
      const rows = routeNames.filter((route) => routes[route].function === name).map((route) => needs[route]);
      const { table, timeout_seconds = 10 } = permissions[name];
      expect(new Set(table), name).toEqual(new Set(rows.flatMap((row) => row.table)));
      expect(timeout_seconds, name).toBe(Math.max(...rows.map((row) => row.timeout_seconds ?? 10)));
      expect(new Set(Object.keys(permissions[name])), name).toEqual(new Set(rows.flatMap(Object.keys)));
    }
  });

  test('no two functions share a role or a log group', () => {
    expect(new Set(functionNames.map((name) => roleOf(template, name))).size).toBe(functionNames.length);
    expect(new Set(functionNames.map((name) => logsOf(name))).size).toBe(functionNames.length);
  });

  test('roles of functions are assumed by Lambda only and carry no managed policy', () => {
    for (const name of functionNames) {
      const { Properties: { Tags: _, ...properties } = {} } =
        template.Resources[roleOf(template, name)] ?? {};
      expect(properties).toEqual({
        Policies: [{ PolicyName: 'rights', PolicyDocument: expect.anything() }],
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
          ],
        },
      });
    }
  });

  test('no action of any role holds a wildcard', () => {
    for (const role of Object.keys(ofType(template, 'AWS::IAM::Role'))) {
      const actions = statementsOf(template, role).flatMap((statement) => statement.Action);
      expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    }
  });

  test('a role that reads items in a batch may read one: a batch of a single key is sent as GetItem', () => {
    for (const name of functionNames) {
      const actions = statementsOf(template, roleOf(template, name)).flatMap((statement) => statement.Action);
      if (actions.includes('dynamodb:BatchGetItem')) expect(actions, name).toContain('dynamodb:GetItem');
    }
  });

  test('the data key is used through DynamoDB and S3 only', () => {
    for (const name of functionNames) {
      const onDataKey = statementsOf(template, roleOf(template, name)).filter((statement) =>
        statement.Resource.map(text).includes('<DataKey.Arn>'),
      );
      for (const statement of onDataKey) {
        const { StringEquals } = fields(statement.Condition);
        const services = list(fields(StringEquals)['kms:ViaService']).map(text);
        expect(services).toEqual(['dynamodb', 's3'].map((s) => `${s}.<AWS::Region>.<AWS::URLSuffix>`));
      }
    }
  });

  test('the machine may invoke its three tasks and nothing else', () => {
    const role = text(template.Resources.RunMachine?.Properties.RoleArn).slice(1, -'.Arn>'.length);
    const invoked = statementsOf(template, role).filter(({ Action }) =>
      Action.includes('lambda:InvokeFunction'),
    );
    expect(invoked.flatMap(({ Resource }) => Resource.map(text))).toEqual([
      '<ExecuteSteps.Arn>',
      '<FailRun.Arn>',
      '<ParkRun.Arn>',
    ]);
  });
});

test('the role of the machine is assumed by machines of this account only', () => {
  const role = text(template.Resources.RunMachine?.Properties.RoleArn).slice(1, -'.Arn>'.length);
  const { AssumeRolePolicyDocument } = template.Resources[role]?.Properties ?? {};
  expect(AssumeRolePolicyDocument).toMatchObject({
    Statement: [
      {
        Principal: { Service: 'states.amazonaws.com' },
        Condition: {
          StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
          ArnLike: { 'aws:SourceArn': expect.anything() },
        },
      },
    ],
  });
});

describe('rights on models', () => {
  const invoke = (of: typeof template, name: FunctionName) =>
    statementsOf(of, roleOf(of, name))
      .filter(({ Action }) => Action.includes('bedrock:InvokeModel'))
      .flatMap(({ Resource }) => Resource.map(text));

  test('the offline model needs none', () => {
    expect(functionNames.flatMap((name) => invoke(template, name))).toEqual([]);
  });

  test('a Bedrock model may be called by the functions that call models, and no other model', () => {
    const of = synthesize({ model: 'bedrock:amazon.nova-lite-v1:0' });
    const arn = 'arn:<AWS::Partition>:bedrock:<AWS::Region>::foundation-model/amazon.nova-lite-v1:0';
    const callers = functionNames.filter((name) => invoke(of, name).length > 0);
    expect(callers).toEqual(['Start', 'ExecuteSteps', 'FireMonitors', 'Admin']);
    for (const name of callers) expect(invoke(of, name)).toEqual([arn]);
  });

  test('an inference profile covers its model in any region', () => {
    const of = synthesize({ model: 'bedrock:eu.amazon.nova-lite-v1:0' });
    expect(invoke(of, 'ExecuteSteps')).toEqual([
      'arn:<AWS::Partition>:bedrock:<AWS::Region>:<AWS::AccountId>:inference-profile/eu.amazon.nova-lite-v1:0',
      'arn:<AWS::Partition>:bedrock:*::foundation-model/amazon.nova-lite-v1:0',
    ]);
  });

  test('an embedding model may be called by those that embed', () => {
    const of = synthesize({ embedding_model: 'bedrock:amazon.titan-embed-text-v2:0' });
    expect(functionNames.filter((name) => invoke(of, name).length > 0)).toEqual([
      'Entities',
      'Sync',
      'ExecuteSteps',
      'Sweep',
      'Admin',
    ]);
  });

  test("another provider's key is read by those that call the model", () => {
    const of = synthesize({ model: 'openai:some-model@https://models.example/v1' });
    const readers = functionNames.filter(
      (name) => rightsOf(of, roleOf(of, name))['<ModelApiKey>'] === 'secretsmanager:GetSecretValue',
    );
    expect(readers).toEqual(['Start', 'ExecuteSteps', 'FireMonitors', 'Admin']);
  });
});
