// A worker of jobs on loopback: it records what it is told, and answers for a job as its worker does.
import type { Home } from './given.ts';
import { type LiveSource, liveSource, setUp, status } from './live-source.ts';
import { call, until } from './service.ts';

/** What a worker is told. */
// Tests read bodies freely.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Told = any;

export interface Worker extends LiveSource {
  name: string;
  secret: string;
  /** The messages of an event, in order, about a run. */
  told(event: string, run_id?: string): Told[];
  /** Waits for the `number`-th job (from 0) that a run asks for. */
  job(run_id: string, number?: number): Promise<Told>;
}

/** Sets up a source of kind `job` whose worker takes whatever it is told; `answer` may say otherwise. */
export async function worker(
  home: Home,
  settings: { name?: string; [setting: string]: unknown } = {},
  answer: Parameters<typeof liveSource>[0] = () => status(202),
): Promise<Worker> {
  const source = await liveSource(answer);
  const { name = `worker-${source.url.replace(/\D/g, '')}` } = settings;
  const secret = await setUp(home, { kind: 'job', url: source.url, ...settings, name } as Parameters<
    typeof setUp
  >[1]);
  const told = (event: string, run_id?: string) =>
    source.asked
      .map(({ body }) => body)
      .filter((body) => body.event === event && (run_id === undefined || body.run_id === run_id));
  return {
    ...source,
    name,
    secret,
    told,
    job: (run_id, number = 0) => until('a job', async () => told('job.requested', run_id)[number]),
  };
}

/** A message about a job, by its token. */
export const say = ({ job_id, token }: Told, verb: string, body: unknown) =>
  call('POST', `/jobs/${job_id}/${verb}`, { key: token, body });
