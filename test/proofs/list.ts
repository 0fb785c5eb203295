// Every campaign by name: what it proves, its flags and how it starts. Each loads its modules only when it starts,
// because some prepare the process first.
import type { Row } from './living/campaign.ts';
import type { parts } from './living/parts.ts';
import { type Findings, type Flags, misused, runAsCommand } from './proof.ts';
import type { ProvedService } from './proved-service.ts';

type Parts = typeof parts;

interface Campaign {
  help: string;
  /** Its flags as the list shows them, with their defaults. */
  flags: string;
  /** Runs it with the arguments after its name; prints JSON and sets the exit code. */
  start(args: readonly string[]): Promise<unknown>;
}

/** A campaign that is a script and reads its flags itself. */
const script = (help: string, flags: string, start: () => Promise<unknown>): Campaign => ({
  help,
  flags,
  start,
});

/** A campaign whose flags are all numbers. */
function proof<Name extends string>(
  help: string,
  defaults: Readonly<Record<Name, number>>,
  prove: (flags: Flags<Name>) => Promise<Findings>,
): Campaign {
  const flags = [...Object.entries(defaults), ['seed', 'N']].map(([name, value]) => `[--${name} ${value}]`);
  return { help, flags: flags.join(' '), start: (args) => runAsCommand(defaults, prove, args) };
}

/** A proof against a service that it starts and stops; reports how often the service failed. */
const onService = <Name extends string>(
  help: string,
  defaults: Readonly<Record<Name, number>>,
  prove: (service: ProvedService, flags: Flags<Name>) => Promise<Findings>,
): Campaign =>
  proof(help, defaults, async (flags) => {
    const { onOwnService } = await import('./proved-service.ts');
    const { failures } = await import('./work.ts');
    return { ...(await onOwnService((service) => prove(service, flags))), failures };
  });

/** A campaign over a living service: its workload, its nemesis and its checkers, by its flags. */
const living = <Name extends string>(
  help: string,
  defaults: Readonly<Record<Name, number>>,
  row: (parts: Parts, flags: Flags<Name>) => Row,
): Campaign =>
  proof(help, defaults, async (flags) => {
    const { parts } = await import('./living/parts.ts');
    const { runCampaign } = await import('./living/campaign.ts');
    return runCampaign(row(parts, flags), flags);
  });

/** Runs of several kinds, and one fault in each round. */
const runsUnder = (parts: Parts, nemesis: keyof Parts['nemeses'], runs: number, faults: number): Row => ({
  ...{ workload: parts.workloads.runs(runs, true), nemesis: parts.nemeses[nemesis] },
  ...{ rounds: faults, strikes: 1, checkers: parts.whole },
});

/** A campaign that proves nothing without the checker of histories. */
const withGo = (campaign: Campaign): Campaign => ({
  ...campaign,
  help: `${campaign.help} (needs Go)`,
  async start(args) {
    const { hasChecker } = await import('./living/checkers/linearizable.ts');
    if (hasChecker()) return campaign.start(args);
    misused('histories are judged by a program in Go: this machine has no Go, or no module proxy');
  },
});

export const campaigns: Readonly<Record<string, Campaign>> = {
  'abuse:costly': script(
    'the costliest requests that a key may send: processor, memory, and a neighbor beside them',
    '[--only NAME,…] [--seed 7]',
    () => import('./abuse/costly/main.ts'),
  ),
  'abuse:forgery': onService(
    'forged cursors, tokens and event ids are refused',
    { mutations: 10_000 },
    async (service, flags) => (await import('./abuse/forgery.ts')).forge(service, flags),
  ),
  'abuse:tenants': onService(
    'another tenant’s ids get the answer for ids that do not exist',
    {},
    async (service) => (await import('./abuse/tenants.ts')).crossTenants(service),
  ),
  'abuse:webhooks': onService(
    'receivers that hang, reset, lie and flood stop no other delivery',
    { deliveries: 1000, attempts: 3 },
    async (service, flags) => (await import('./abuse/webhooks.ts')).abuseDeliveries(service, flags),
  ),
  bench: script('every figure of the service on this machine', '', () => import('./bench/main.ts')),
  'bench:cold': script(
    'the first question of a new environment of Records, and later ones',
    '[--sizes N,N,…] [--dimensions 256]',
    () => import('./bench/cold/main.ts'),
  ),
  'bench:records': script(
    'what records cost at several sizes',
    '[--sizes N,N,…] [--data-dir DIR]',
    () => import('./bench/records/main.ts'),
  ),
  'bench:recovery': proof(
    'from a kill of the service to the success of what was in flight',
    { kills: 10, runs: 6 },
    async (flags) => (await import('./bench/recovery.ts')).proveRecovery(flags),
  ),
  'bench:streams': script(
    'open streams while runs are created',
    '[--streams 200] [--runs 50] [--seconds 15] [--rate 20]',
    () => import('./bench/streams.ts'),
  ),
  chaos: living(
    'kills the service and its functions under load',
    { runs: 200, kills: 15 },
    (parts, { runs, kills }) => runsUnder(parts, 'kill', runs, kills),
  ),
  'chaos:clock': living(
    'the clock of the machine jumps by minutes, forward and back, under load',
    { runs: 100, jumps: 20 },
    (parts, { runs, jumps }) => runsUnder(parts, 'clock', runs, jumps),
  ),
  'chaos:partition': living(
    'half of the calls to the table get no answer, again and again, under load',
    { runs: 100, partitions: 20 },
    (parts, { runs, partitions }) => runsUnder(parts, 'partition', runs, partitions),
  ),
  'chaos:calls': proof(
    'runs while calls to the table and the workflow are throttled, lost, cut, repeated and refused',
    { runs: 500 },
    async (flags) => (await import('./living/calls.ts')).troubleCalls(flags),
  ),
  crash: script(
    'kills writers of the table’s files and cuts the power; whether a disk that lies is found',
    '[--kills 500] [--terminations 3] [--cuts 2000] [--seed N] [--planted]',
    () => import('./crash/main.ts'),
  ),
  'cuts:streams': onService(
    'streams that are cut again and again lose and repeat no event',
    // Longer than the ten minutes after which the service itself cuts a stream.
    { streams: 500, cuts: 5000, seconds: 640 },
    async (service, flags) => (await import('./cuts/streams.ts')).cutStreams(service, flags),
  ),
  'cuts:watches': onService(
    'watches of the SDK over connections that are cut',
    { runs: 500 },
    async (service, flags) => (await import('./cuts/watches.ts')).cutWatches(service, flags),
  ),
  drill: script(
    'the table of an earlier point in time beside newer objects, messages, executions and index files',
    '[--records 2500] [--without-incarnations]',
    () => import('./drill/main.ts'),
  ),
  fair: script(
    'what a bystander waits for while another tenant does heavy work',
    '[--only NAME,…] [--seed 7]',
    () => import('./fair/main.ts'),
  ),
  fuzz: onService(
    'hostile requests, each answer judged',
    { n: 100_000, first: 0, parallel: 16, floods: 100 },
    async (service, flags) => (await import('./fuzz/run.ts')).fuzz(service, flags),
  ),
  'fuzz:parsers': script(
    'parsers of tenants’ texts take linear time',
    '[--n 5000] [--only INDEX] [--seed N]',
    () => import('./fuzz/parsers/main.ts'),
  ),
  histories: withGo(
    living(
      'what sixteen clients and their workers see through kills is linearizable',
      { histories: 200 },
      ({ workloads, nemeses, seen }, { histories }) => ({
        ...{ workload: workloads.requests(), nemesis: nemeses.kill, rounds: histories, strikes: 2 },
        checkers: seen,
      }),
    ),
  ),
  'histories:planted': withGo(
    proof('whether each planted fault is found in histories', { histories: 20 }, async (flags) =>
      (await import('./living/find-planted.ts')).findPlanted(flags),
    ),
  ),
  'judge:aws': script(
    'moto, in place of AWS, makes the stack and answers the service’s own calls and its store’s (needs Python)',
    '[FILE…]',
    () => import('./judge/aws/main.ts'),
  ),
  'judge:browser': script('the TypeScript client in a real browser', '', () => import('./judge/browser.ts')),
  'judge:differences': script(
    'random requests of the forms that the store sends, to the local table and another engine',
    '[--operations 100000] [--seed 1] [--reference local]',
    () => import('./judge/engine-forms/main.ts'),
  ),
  'judge:document': script(
    'six generators and a linter read the OpenAPI document',
    '',
    () => import('./judge/document.ts'),
  ),
  'judge:engine': script(
    'AWS’s DynamoDB Local beside the embedded engine, then under every test over HTTP',
    '[--operations 100000] [--seed 1] [--only differences] [FILE…]',
    () => import('./judge/engine.ts'),
  ),
  'judge:model': script(
    'a real small chat model and a real embedding model through the whole service (needs Python and a C++ compiler)',
    '[--folder DIR] [--keep] [--minutes 20]',
    () => import('./judge/model/main.ts'),
  ),
  'judge:python': script(
    'the Python client: its types, its style, its wheel, its tests, 200 watches over cut streams',
    '',
    () => import('./judge/python.ts'),
  ),
  'judge:requests': script(
    'Schemathesis makes requests from our own document and judges each reply by it',
    '[--seed 1] [--seconds 300]',
    () => import('./judge/requests.ts'),
  ),
  'judge:snippets': script(
    'the Python and Go verifiers of the webhook guide',
    '',
    () => import('./judge/snippets.ts'),
  ),
  'judge:install': script(
    'what npm ci brings to an empty folder: at most 500 MB, and nothing that is missing',
    '',
    () => import('./judge/install.ts'),
  ),
  'judge:packages': script(
    'each package in an empty folder, under the versions of Node, the CDK and pip that its users may have',
    '',
    () => import('./judge/packages.ts'),
  ),
  'judge:template': script(
    'cfn-lint, the SAM CLI and cdk-nag read the template under every setting',
    '',
    () => import('./judge/template.ts'),
  ),
  model: script(
    'models of runs, money, deliveries and jobs: every state within their bounds, and each protection taken out',
    '[--only Run] [--record]',
    () => import('./model/main.ts'),
  ),
  money: script(
    'costs and balances are exact over random histories; whether they find planted faults',
    '[--n 2000] [--seed 1] [--planted]',
    () => import('./money/main.ts'),
  ),
  mutations: script(
    'small changes of the core, one by one: whether its tests notice each',
    '[--files GLOB[:LINE]] [--sample 150] [--seed N]',
    () => import('./mutations/main.ts'),
  ),
  output: proof(
    'answers as data of a model that lies: each conforms and says truly what it is based on, or is refused',
    { answers: 10_000 },
    async (flags) => (await import('./output/lies.ts')).proveAnswers(flags),
  ),
  overload: script(
    'the model provider is away for ten minutes of twice the load, in virtual time',
    '[--workspaces 4] [--minutes 10] [--seed 1] [--planted]',
    () => import('./overload/main.ts'),
  ),
  patience: onService(
    'agents whose clients time out finish long runs by waiting again',
    // Three times the minute after which such clients give a call up.
    { seconds: 180 },
    async (service, flags) => (await import('./patience/patience.ts')).waitAgain(service, flags),
  ),
  properties: proof('every property of the test suite, with new seeds', { rounds: 20 }, async (flags) =>
    (await import('./properties/properties.ts')).draw(flags),
  ),
  questions: proof(
    'questions over invented and real records come out right, or name what they do not say',
    { records: 100_000, generated: 400 },
    async (flags) => (await import('./questions/questions.ts')).proveQuestions(flags),
  ),
  'race:cancel': living(
    'cancel against finish: one end, one event, one charge',
    { runs: 5000 },
    ({ workloads, nemeses, whole }, { runs }) => ({
      ...{ workload: workloads.cancels(runs), nemesis: nemeses.calm, rounds: 1, strikes: 0 },
      checkers: whole,
    }),
  ),
  'race:idempotency': living(
    'a key posted many times at once makes one run',
    { keys: 200, par: 50 },
    ({ workloads, nemeses, seen }, { keys, par }) => ({
      ...{ workload: workloads.keys(keys, par), nemesis: nemeses.calm, rounds: 1, strikes: 0 },
      checkers: seen,
    }),
  ),
  short: script(
    'the short form of every campaign, two at a time, one line each',
    '[--only NAME,…] [--seed 1]',
    () => import('./short/main.ts'),
  ),
  sim: script(
    'simulated histories under faults at any call of AWS; whether planted bugs are found',
    '[--seeds 200] [--first 1] [--planted [--only BUG …]]',
    () => import('./sim/main.ts'),
  ),
  'sim:crashpoints': script(
    'a fault at every call of every flow',
    '[--flow NAME] [--every 1]',
    () => import('./sim/crashpoints.ts'),
  ),
  'sim:scale': script(
    'a second of a large stack, due monitors and an import in virtual time',
    '[--share 0.02] [--one-partition] [--import 20000] [--consecutive-ids] [--read-alone]',
    () => import('./sim/scale.ts'),
  ),
  size: proof('hand-written lines of the product, room by room, and file names used twice', {}, async () => ({
    ...(await import('./size.ts')).sizeOfProduct(),
    breaches: [],
  })),
  soak: proof(
    'half load for half an hour: memory, handles and threads stay flat',
    { minutes: 30 },
    async (flags) => (await import('./soak/soak.ts')).soak(flags),
  ),
  sync: script(
    'messages of a bridge against a model',
    '[--messages 10000] [--seed N]',
    () => import('./sync/main.ts'),
  ),
};
