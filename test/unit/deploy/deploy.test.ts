// `npm run deploy`: what it reads of a change set, what it refuses, and what the CDK is then asked for.
import {
  type Change,
  ChangeSetNotFoundException,
  CloudFormationClient,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test } from 'vitest';
import { readDeployArguments } from '../../../bin/deploy/arguments.ts';
import { missingAccount } from '../../../bin/deploy/credentials.ts';
import { type Deployment, deploy } from '../../../bin/deploy/deploy.ts';
import { lostState, stateOf } from '../../../bin/deploy/lost-state.ts';
import { usagePage } from '../../../bin/deploy/usage-page.ts';
import { settingNames } from '../../../lib/stage.ts';

const changed = (id: string, type: string, change: Change['ResourceChange']): Change => ({
  ResourceChange: { LogicalResourceId: id, ResourceType: type, ...change },
});
const table = (change: Change['ResourceChange']) => changed('Table', 'AWS::DynamoDB::Table', change);

describe('state is lost', () => {
  test.each(Object.entries(stateOf))('when a %s is removed, replaced, or may be replaced', (type, state) => {
    const changes = [
      changed('A', type, { Action: 'Remove' }),
      changed('B', type, { Action: 'Modify', Replacement: 'True' }),
      changed('C', type, { Action: 'Modify', Replacement: 'Conditional' }),
    ];
    const end = (id: string) =>
      `: the service would lose ${state}. If you mean it: --allow-replacement ${id}`;
    expect(lostState(changes, [])).toEqual([
      `A (${type}) would be removed${end('A')}`,
      `B (${type}) would be replaced${end('B')}`,
      `C (${type}) may be replaced${end('C')}`,
    ]);
  });

  test('not when it is new or changes in place, nor by what has no state', () => {
    expect(
      lostState(
        [
          table({ Action: 'Add' }),
          table({ Action: 'Modify', Replacement: 'False' }),
          changed('GetRun', 'AWS::Lambda::Function', { Action: 'Modify', Replacement: 'True' }),
          changed('GetRunRole', 'AWS::IAM::Role', { Action: 'Remove' }),
          {},
        ],
        [],
      ),
    ).toEqual([]);
  });

  test('and that may be meant, for one resource by its name', () => {
    const both = [table({ Action: 'Remove' }), changed('Bodies', 'AWS::S3::Bucket', { Action: 'Remove' })];
    expect(lostState(both, ['Table'])).toEqual([expect.stringMatching(/^Bodies /)]);
  });
});

test('what may be replaced is taken out of the arguments for the CDK', () => {
  const args = ['-c', 'model=offline', '--allow-replacement', 'Table', '--allow-replacement=Bodies', '-v'];
  expect(readDeployArguments(args)).toEqual({
    allowed: ['Table', 'Bodies'],
    allowsOlder: false,
    cdk: ['-c', 'model=offline', '-v'],
    help: false,
    profile: undefined,
  });
});

test('a release that may follow a later one is said by a flag, and the CDK gets the setting of the stage', () => {
  const read = readDeployArguments(['--allow-older-release', '-v']);
  expect(read).toMatchObject({ allowsOlder: true, cdk: ['-v', '-c', 'allow_older_release=true'] });
});

test.each([['--profile', 'work'], ['--profile=work']])('a profile is that of both: %s', (...profile) => {
  const read = readDeployArguments(profile);
  expect(read).toMatchObject({ cdk: profile, profile: 'work' });
});

test('the help has every setting once, the one that must be set first', () => {
  const page = usagePage();
  const named = [...page.matchAll(/^ {2}([a-z_0-9]+) /gm)].map(([, name]) => name);
  expect(named[0]).toBe('model');
  expect(named.toSorted()).toEqual(settingNames.toSorted());
  expect(Math.max(...page.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});

describe('before anything is built, a line says why there is no account', () => {
  const credentials = { accessKeyId: 'A', secretAccessKey: 'S' };
  const region = 'eu-central-1';

  test('nothing, where the credentials are those of one', async () => {
    mockClient(STSClient).on(GetCallerIdentityCommand).resolves({ Account: '1' });
    expect(await missingAccount(new STSClient({ region, credentials }))).toBeUndefined();
  });

  test('no region', async () => {
    const noRegion = async () => {
      throw new Error('Region is missing');
    };
    const client = new STSClient({ region: noRegion, credentials });
    expect(await missingAccount(client)).toMatch(/^No region: set AWS_REGION/);
  });

  test.each([
    [
      'CredentialsProviderError',
      'Could not load credentials',
      /^No valid AWS credentials: set AWS_PROFILE, .*Could not/,
    ],
    ['ExpiredToken', 'The token has expired', /^No valid AWS credentials/],
    ['TimeoutError', 'no answer', /^AWS does not answer: no answer$/],
    ['AccessDenied', 'not allowed', /^AccessDenied: not allowed$/],
  ])('%s', async (name, message, line) => {
    mockClient(STSClient)
      .on(GetCallerIdentityCommand)
      .rejects(Object.assign(new Error(message), { name }));
    const found = await missingAccount(new STSClient({ region, credentials }));
    expect(found).toMatch(line);
    expect(found).not.toContain('\n');
  });
});

describe('a deployment', () => {
  /** The changes of a change set in pages; undefined: there is none. */
  async function deployed(
    pages: Change[][] | undefined,
    { allowed = [''], codes = [0, 0], stackOf = '', allowsOlder = false } = {},
  ) {
    const asked: string[] = [];
    const refused: string[] = [];
    const service = mockClient(CloudFormationClient);
    service.on(DescribeChangeSetCommand).callsFake(({ NextToken = '0' }) => {
      if (!pages) throw new ChangeSetNotFoundException({ message: 'none', $metadata: {} });
      const page = Number(NextToken);
      asked.push(`page ${page}`);
      return { Changes: pages[page], ...(pages.length > page + 1 && { NextToken: String(page + 1) }) };
    });
    const Outputs = stackOf ? [{ OutputKey: 'Release', OutputValue: stackOf }] : undefined;
    const stack = { StackName: 'RunService', CreationTime: undefined, StackStatus: undefined, Outputs };
    service.on(DescribeStacksCommand).resolves({ Stacks: [stack] });
    service.on(DeleteChangeSetCommand).callsFake(() => void asked.push('removed'));
    const deployment: Deployment = {
      cdk: async (args) => {
        asked.push(args.join(' '));
        return codes.shift() ?? 0;
      },
      client: new CloudFormationClient({ region: 'us-east-1' }),
      stackName: () => 'RunService',
      release: '1.10.0',
      refuse: (line) => void refused.push(line),
    };
    const code = await deploy({ allowed, allowsOlder, cdk: ['-c', 'model=offline'] }, deployment);
    return { code, asked, refused };
  }
  const prepares =
    'deploy -c model=offline --method prepare-change-set --change-set-name lost-state --require-approval never';
  const deploys = 'deploy --app cdk.out -c model=offline';

  test('reads a change set, removes it, and deploys the assembly that it was made of', async () => {
    expect(await deployed([[table({ Action: 'Modify', Replacement: 'False' })]])).toEqual({
      code: 0,
      asked: [prepares, 'page 0', 'removed', deploys],
      refused: [],
    });
  });

  test('is refused by one line, wherever in the change set the reason is, and changes nothing', async () => {
    const { code, asked, refused } = await deployed([[], [table({ Action: 'Modify', Replacement: 'True' })]]);
    expect(code).toBe(1);
    expect(asked).toEqual([prepares, 'page 0', 'page 1', 'removed']);
    expect(refused).toEqual([
      expect.stringMatching(/^Table .* would be replaced: .* --allow-replacement Table$/),
    ]);
  });

  test('goes on where that is meant, and where there is nothing to change', async () => {
    const meant = await deployed([[table({ Action: 'Remove' })]], { allowed: ['Table'] });
    expect([meant.code, meant.asked.at(-1)]).toEqual([0, deploys]);
    expect((await deployed(undefined)).asked).toEqual([prepares, deploys]);
  });

  test('of an earlier release over a later one is refused by one line, and changes nothing', async () => {
    expect(await deployed([[]], { stackOf: '1.11.0' })).toEqual({
      code: 2,
      asked: [prepares, 'page 0', 'removed'],
      refused: [
        'RunService is of release 1.11.0, and this is 1.10.0: deploy 1.11.0 or a later one. If you mean it: --allow-older-release',
      ],
    });
  });

  test('of an earlier release goes on where that is meant', async () => {
    const meant = await deployed([[]], { stackOf: '1.11.0', allowsOlder: true });
    expect(meant).toMatchObject({ code: 0, refused: [] });
  });

  test.each(['', '1.9.0', '1.10.0'])('goes on over the release before and itself (%s)', async (stackOf) => {
    expect(await deployed([[]], { stackOf })).toMatchObject({ code: 0, refused: [] });
  });

  test('fails as the CDK fails', async () => {
    expect(await deployed([[]], { codes: [3] })).toEqual({ code: 3, asked: [prepares], refused: [] });
    expect((await deployed([[]], { codes: [0, 4] })).code).toBe(4);
  });
});
