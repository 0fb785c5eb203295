// `npm run prove -- judge:aws`: moto, a stand-in for AWS that others wrote, judges the template and the calls. Its
// CloudFormation must make every resource that it knows; the service's own calls must come out there as in the local
// services, but for the differences that a list explains, and so must runs that its Step Functions execute. Then the
// suites of the store must pass on its DynamoDB, but for those that a list explains: `judge:aws FILE…` takes only some.
// Prints JSON; exit code 0 only when nothing else differs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { localCallbacks } from '../../../../lib/local/cli/local-callbacks.ts';
import { startRuntime } from '../../../../lib/local/runtime/runtime.ts';
import { deployedAssembly } from '../../../support/deployed-assembly.ts';
import { filesBy } from '../../../support/files.ts';
import { freePort } from '../../../support/local-server.ts';
import { sharedAssembly } from '../../../support/shared-assembly.ts';
import { suiteOn } from '../suite.ts';
import { access, type Deployed, deploy } from './deployment.ts';
import { callDifferences, suitesLeftOut, unknownTypes } from './differences.ts';
import { MOTO, startMoto } from './moto.ts';

const Outcomes = z.array(
  z.object({ name: z.string(), expected: z.string().optional(), outcome: z.string().optional() }),
);
type Outcomes = z.infer<typeof Outcomes>;
type Outcome = Outcomes[number];

const trials = new URL('./trials.ts', import.meta.url);
const allowLoopback = new URL('./allow-loopback.ts', import.meta.url);

/** What comes out of the calls at an address, with the variables of the functions there. */
async function outcomesAt(
  url: string,
  { accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string },
  variables: Record<string, string>,
): Promise<Outcomes> {
  const child = fork(trials, {
    execArgv: ['--import', allowLoopback.href],
    env: {
      ...process.env,
      ...variables,
      ...localCallbacks,
      AWS_REGION: access.region,
      AWS_ENDPOINT_URL: url,
      AWS_ENDPOINT_URL_S3: url,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const told = once(child, 'message');
  const [first] = await Promise.race([told, once(child, 'exit')]);
  return Outcomes.parse(first);
}

async function onMoto(assembly: string) {
  // The trials run the functions as well.
  const port = await freePort();
  const moto = await startMoto(port);
  try {
    const { types, variables } = await deploy(moto.url, assembly);
    const outcomes = await outcomesAt(moto.url, access, { ...variables, FUNCTIONS_PORT: String(port) });
    return { types, outcomes };
  } finally {
    await moto.stop();
  }
}

async function onLocal(assembly: string): Promise<Outcomes> {
  const dataDir = mkdtempSync(join(tmpdir(), 'judge-aws-'));
  const runtime = await startRuntime({
    dataDir,
    cloudAssembly: async () => assembly,
    extraEnv: localCallbacks,
    port: 0,
  });
  try {
    const functions = runtime.stack.ofType('AWS::Lambda::Function');
    const Variables = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.string()) }) });
    const variables = functions.flatMap(({ properties }) => {
      const { data } = Variables.safeParse(properties);
      return data ? [data.Environment.Variables] : [];
    });
    const { lambda_endpoint, access_key_id, secret_access_key } = runtime.operator;
    const keys = { accessKeyId: access_key_id, secretAccessKey: secret_access_key };
    return await outcomesAt(lambda_endpoint, keys, Object.assign({}, ...variables));
  } finally {
    await runtime.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function breachesOf(types: Deployed['types'], here: Outcomes, there: Outcomes): string[] {
  const expect = ({ expected }: Outcome) => expected;
  const expectThere = ({ name, expected }: Outcome) =>
    name in callDifferences ? callDifferences[name]?.outcome : expected;
  const wrong = (place: string, outcomes: Outcomes, wanted: (one: Outcome) => string | undefined) =>
    outcomes
      .filter((one) => one.outcome !== wanted(one))
      .map((one) => `${place}: ${one.name}: ${one.outcome}, not ${wanted(one)}`);
  const unmade = [...types].filter(
    ([type, { declared, made }]) => made !== declared && !unknownTypes.includes(type),
  );
  return [
    ...unmade.map(([type, { declared, made }]) => `${type}: ${made} of ${declared} made`),
    ...wrong('here', here, expect),
    ...wrong('there', there, expectThere),
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'judge-aws-'));
const there = await onMoto(await deployedAssembly(join(folder, 'cdk.out')));
rmSync(folder, { recursive: true });
const here = await onLocal(await sharedAssembly());
const { positionals } = parseArgs({ allowPositionals: true });
const suites = filesBy('test/store/**/*.test.ts').filter((file) => !(file in suitesLeftOut));
const files = positionals.length > 0 ? positionals : suites;
// It has one set of tables for all suites.
const store = await suiteOn(await startMoto(), { project: 'store*', files, workers: 1 });
const breaches = breachesOf(there.types, here, there.outcomes).concat(
  store.failed.map(({ file, test, reason }) => `${file}: ${test ?? 'as a whole'}: ${reason}`),
);
const sumOf = (name: 'declared' | 'made') =>
  [...there.types.values()].reduce((sum, type) => sum + type[name], 0);
const verdict = {
  judge: MOTO,
  resources: { declared: sumOf('declared'), made: sumOf('made'), unknown: unknownTypes },
  calls: here.length,
  differences: callDifferences,
  store: { files, passed: store.passed, took_s: store.took_s, left_out: suitesLeftOut },
  breaches,
};
process.stdout.write(`${JSON.stringify(verdict, undefined, 2)}\n`);
// Idle connections of the SDK would keep the process alive.
process.exit(breaches.length === 0 && store.exit_code === 0 ? 0 : 1);
