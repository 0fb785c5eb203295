// The short form of each campaign: its flags, and the figures that show that it has worked.

export interface ShortForm {
  campaign: string;
  flags?: string;
  /** Its flag for the seed; absent where its work has none. */
  seed?: '--seed' | '--first';
  /** The least that its report must count, by the path of the figure: a trial of less proves nothing. */
  least: Readonly<Record<string, number>>;
  /** What a machine may lack. */
  needs?: 'Go' | 'dynoxide';
}

const PLANTED = [
  'half a transaction is enough',
  'a paused run has an owner',
  'open runs are not due',
  'every call tries a model that was away',
  'a model asks for a wait in vain',
];

/** Each run is created, and its log, its deliveries and its end are read; further reads depend on the machine. */
const RUNS = 18;

/** Some of their jobs are done. */
const WORKED = { 'jobs.messages.accepted': 3 };

/** Those that take longest come first, so that none of them is left alone at the end. */
export const shortForms: readonly ShortForm[] = [
  { campaign: 'drill', least: { stale_before: 3 } },
  {
    campaign: 'chaos',
    flags: `--runs ${RUNS} --kills 3`,
    seed: '--seed',
    least: { 'ended.succeeded': 9, 'ended.failed': 3, caught: 1, operations: 4 * RUNS, ...WORKED },
  },
  {
    campaign: 'chaos:clock',
    flags: `--runs ${RUNS} --jumps 4`,
    seed: '--seed',
    least: { 'ended.succeeded': 9, caught: 1, operations: 4 * RUNS, ...WORKED },
  },
  {
    campaign: 'chaos:partition',
    flags: `--runs ${RUNS} --partitions 4`,
    seed: '--seed',
    least: { 'ended.succeeded': 9, caught: 1, operations: 4 * RUNS, ...WORKED },
  },
  {
    campaign: 'chaos:calls',
    flags: '--runs 90',
    seed: '--seed',
    least: {
      'fired.throttle': 20,
      'fired.lost': 20,
      'fired.cut': 20,
      'fired.conflict': 20,
      'fired.duplicate': 20,
    },
  },
  {
    campaign: 'histories',
    flags: '--histories 3',
    seed: '--seed',
    needs: 'Go',
    least: { judged: 500, 'struck.service': 1, 'struck.thread': 1, 'struck.threads': 1, ...WORKED },
  },
  { campaign: 'sim:crashpoints', flags: '--every 61', least: { 'fired.crash_after': 50 } },
  {
    campaign: 'sim',
    flags: '--seeds 100',
    seed: '--first',
    least: {
      commits: 1000,
      'fired.logs_checked': 100,
      'fired.waits model_unavailable': 1,
      'fired.waits job': 20,
      'fired.a message of a worker is taken': 20,
      'modes.safety.histories': 20,
    },
  },
  {
    campaign: 'sim',
    flags: ['--planted', ...PLANTED.map((bug) => `--only '${bug}'`)].join(' '),
    least: { found: PLANTED.length },
  },
  {
    campaign: 'sim:scale',
    flags: '--share 0.01 --import 2000',
    least: {
      'sweep.calls': 1000,
      'monitors.fires.100.fired': 100,
      // The import waits for a partition that is full.
      'import.refused.transactions': 1,
      'import.changes.made': 1000,
    },
  },
  {
    campaign: 'overload',
    // With fewer runs the calls of one minute are a few, and whether they are too many is chance.
    flags: '--workspaces 4 --minutes 5',
    seed: '--seed',
    least: { runs: 60, waits: 1, 'refused.concurrent_runs_exceeded': 1 },
  },
  {
    campaign: 'money',
    flags: '--n 60',
    seed: '--seed',
    least: {
      histories: 60,
      'happenings.crashes': 10,
      'happenings.cancels': 10,
      'happenings.resumes': 5,
      'happenings.reruns': 5,
      'happenings.waits': 5,
      'happenings.jobs': 20,
      'happenings.messages': 20,
    },
  },
  { campaign: 'money', flags: '--planted', seed: '--seed', least: { found: 2 } },
  {
    campaign: 'crash',
    flags: '--kills 12 --terminations 3 --cuts 120',
    seed: '--seed',
    least: { 'killed.acknowledged': 100, 'cut.acknowledged': 100 },
  },
  { campaign: 'crash', flags: '--planted --cuts 20', seed: '--seed', least: { found: 1 } },
  {
    campaign: 'judge:differences',
    flags: '--operations 1500 --reference dynoxide',
    seed: '--seed',
    needs: 'dynoxide',
    least: { refused: 100 },
  },
  {
    campaign: 'race:idempotency',
    flags: '--keys 4 --par 20',
    seed: '--seed',
    least: { replayed: 100 },
  },
  {
    campaign: 'race:cancel',
    flags: '--runs 100',
    seed: '--seed',
    least: { 'ended.canceled': 10, 'ended.succeeded': 10 },
  },
  {
    campaign: 'cuts:streams',
    flags: '--streams 20 --cuts 100 --seconds 10',
    seed: '--seed',
    least: { cuts_made: 30, events: 100 },
  },
  { campaign: 'cuts:watches', flags: '--runs 10', seed: '--seed', least: { cuts_made: 10, events: 100 } },
  {
    campaign: 'abuse:webhooks',
    flags: '--deliveries 45 --attempts 1',
    seed: '--seed',
    least: { 'found.delivered 1': 5, 'found.failed 1': 5 },
  },
  {
    campaign: 'abuse:forgery',
    flags: '--mutations 300',
    seed: '--seed',
    least: { 'refused.event_token 401 auth_invalid': 30, 'refused.cursor 422 schema_validation_failed': 30 },
  },
  { campaign: 'abuse:tenants', seed: '--seed', least: { operations: 20 } },
  {
    campaign: 'fuzz',
    flags: '--n 1000 --parallel 4 --floods 60',
    seed: '--seed',
    // Were everything refused early, the rest would prove nothing.
    least: { requests: 1000, 'codes.none': 100 },
  },
  { campaign: 'fuzz:parsers', flags: '--n 100', seed: '--seed', least: { inputs: 100 } },
  { campaign: 'sync', flags: '--messages 800', seed: '--seed', least: { messages: 800 } },
  { campaign: 'output', flags: '--answers 1000', seed: '--seed', least: { outputs: 100 } },
  {
    campaign: 'questions',
    flags: '--records 5000 --generated 150',
    seed: '--seed',
    least: { questions: 900 },
  },
  {
    campaign: 'fair',
    flags: '--only table_10000,wrong_body_1_mb,query_4000,sync_1_mb',
    seed: '--seed',
    least: {},
  },
];
