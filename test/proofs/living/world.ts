// What a campaign works on: a service in a process of its own, the receiver of its webhooks, its workers, and what its
// clients saw.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunEvent } from '../../../functions/contract/events.ts';
import { isFinished } from '../work.ts';
import { createRecorder, type Recorder } from './checkers/recorder.ts';
import { type Receiver, receiveWebhooks } from './receiver.ts';
import { type ServiceProcess, serviceProcess } from './service-process.ts';
import { employWorkers, type Workers } from './workers.ts';

export interface World {
  service: ServiceProcess;
  receiver: Receiver;
  /** Those whom its sources ask. */
  workers: Workers;
  seed: number;
  /** The histories that clients saw, each with the operations of one recorder. */
  histories: Recorder[];
  /** What clients do from now on belongs to this history. */
  record(history: Recorder): void;
  breaches: string[];
  /** What workload and checkers counted, for the report. */
  figures: Record<string, unknown>;
}

/** What the workspace has for its runs. */
export const CREDITS = 10_000_000;
const GIVE_UP_MS = 120_000;
const PAUSE_MS = 100;

/** Starts a service for the campaign and ends it afterwards. */
export async function inWorld<T>(
  { seed, preload }: { seed: number; preload?: string | undefined },
  live: (world: World) => Promise<T>,
): Promise<T> {
  const histories = [createRecorder()];
  let current = histories[0];
  const service = serviceProcess({
    flags: ['--allow-local-callbacks'],
    watch: (asked, send) => (current ? current.watch(asked, send) : send()),
    ...(preload !== undefined && { preload }),
  });
  const receiver = await receiveWebhooks();
  // The messages about a job are of one history, though the next one may have begun.
  const workers = await employWorkers(seed, () => {
    const history = current;
    const { askUnwatched } = service;
    return (asked) => (history ? history.watch(asked, () => askUnwatched(asked)) : askUnwatched(asked));
  });
  const record = (history: Recorder) => {
    if (!histories.includes(history)) histories.push(history);
    current = history;
  };
  try {
    await service.start();
    const settings = ['--credits', String(CREDITS), '--max-concurrent-runs', '500'];
    await service.admin('workspace', 'update', service.workspaceId(), ...settings);
    await setUpSources(service, workers);
    return await live({ service, receiver, workers, seed, histories, record, breaches: [], figures: {} });
  } finally {
    workers.close();
    receiver.close();
    await service.remove();
  }
}

async function setUpSources(service: ServiceProcess, { sources }: Workers): Promise<void> {
  for (const source of sources) {
    const file = join(service.dataDir, `${source.name}.json`);
    writeFileSync(file, JSON.stringify(source));
    await service.admin('source', 'create', '--workspace', service.workspaceId(), '--file', file);
  }
}

/** Does it again, as a client does, until it works. Throws what it threw last. */
export async function untilItWorks<T>(act: () => Promise<T>, withinMs = GIVE_UP_MS): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (Date.now() > end) throw error;
      await wait(PAUSE_MS);
    }
  }
}

/** The whole log of a run, once it has ended. */
export function finishedLog({ service }: World, id: string): Promise<RunEvent[]> {
  return untilItWorks(async () => {
    const { data } = await service.call<{ data: RunEvent[] }>('GET', `/runs/${id}/events?limit=1000`);
    if (!isFinished(data)) throw new Error(`run ${id} has not ended`);
    return data;
  });
}

/** The part of `count` things that is due in a round. */
export function partOf(count: number, round: number, rounds: number): { from: number; size: number } {
  const from = Math.ceil((round * count) / rounds);
  return { from, size: Math.ceil(((round + 1) * count) / rounds) - from };
}
