// How fast one machine is: latencies and throughput of the service as `npm start` runs it, and its memory.
import { end, liftLimits, startChild } from './child.ts';
import { create, inParallel, request, succeeded, type Target } from './client.ts';
import { residentMb, spread } from './figures.ts';
import { clientMsEach, processorMsEach } from './processor.ts';
import { createWithoutWaiting, manySteps, readsOfMany } from './wide.ts';

async function createLatency(target: Target, clients: number, times: number) {
  const samples: number[] = [];
  const ids: string[] = [];
  await inParallel(clients, times, async () => {
    const { id, took_ms } = await create(target);
    samples.push(took_ms);
    ids.push(id);
    await succeeded(target, id);
  });
  return spread(samples);
}

async function toSucceeded(target: Target, times: number) {
  const samples: number[] = [];
  await inParallel(1, times, async () => {
    const { id } = await create(target);
    await succeeded(target, id);
    const run = await request(target, 'GET', `/runs/${id}`, 200);
    samples.push(Number(run.completed_at) - Number(run.created_at));
  });
  return spread(samples);
}

/** How often per second `work` is done by this many clients, and the processor time of each. */
async function sustained(
  pid: number,
  { clients, times }: { clients: number; times: number },
  work: () => Promise<unknown>,
) {
  const begun = performance.now();
  const clientMs = clientMsEach(times);
  const processor_ms = await processorMsEach(pid, times, () => inParallel(clients, times, work));
  const per_second = Math.round((times / (performance.now() - begun)) * 10_000) / 10;
  return { clients, times, per_second, processor_ms, client_processor_ms: clientMs() };
}

async function latencyOf(work: () => Promise<unknown>, times: number) {
  const samples: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const begun = performance.now();
    await work();
    samples.push(performance.now() - begun);
  }
  return spread(samples);
}

/** How long after its commit a waiting long poll returns an event. */
async function seenByLongPoll(target: Target, times: number) {
  const samples: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const { id } = await create(target);
    for (let cursor: string | undefined, done = false; !done; ) {
      const query = new URLSearchParams({ 'keep-open': '1', ...(cursor !== undefined && { cursor }) });
      const page = await request(target, 'GET', `/runs/${id}/events?${query}`, 200);
      cursor = String(page.next_cursor);
      const events = Array.isArray(page.data) ? page.data : [];
      for (const event of events) samples.push(Date.now() - Number(event.occurred_at));
      done = events.some((event) => event.event_type === 'run.succeeded');
    }
  }
  return spread(samples);
}

/** The same through the event stream. */
async function seenByStream(target: Target, times: number) {
  const samples: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const { id } = await create(target);
    const { event_token } = await request(target, 'POST', `/runs/${id}/events/token`, 200);
    const response = await fetch(`${target.base_url}/runs/${id}/events/stream?event_token=${event_token}`);
    let text = '';
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString();
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data) samples.push(Date.now() - Number(JSON.parse(data).occurred_at));
      }
    }
  }
  return spread(samples);
}

/** Uses every route once, so that every function has its worker. */
async function touchEveryRoute(target: Target, site: string): Promise<void> {
  const { id } = await create(target);
  await succeeded(target, id);
  const paths = [
    '/runs',
    `/runs/${id}`,
    '/notes/none',
    '/artifacts/none',
    '/entities/resolve?refs=[]',
    '/entities',
    '/entities/types',
    '/entities/none',
    `/runs/${id}/webhook-deliveries`,
    `/runs/${id}/events/stream`,
  ];
  const posts = [
    `/runs/${id}/cancel`,
    `/runs/${id}/resume`,
    `/runs/${id}/rerun-from`,
    `/runs/${id}/events/token`,
    `/runs/${id}/webhook-deliveries/none/redeliver`,
  ];
  const headers = { authorization: `Bearer ${target.api_key}` };
  for (const path of paths) await (await fetch(`${target.base_url}${path}`, { headers })).text();
  for (const path of posts)
    await (await fetch(`${target.base_url}${path}`, { method: 'POST', headers })).text();
  await (await fetch(`${site}/api/webhooks/sync/none`, { method: 'POST', body: '{}' })).text();
  await (await fetch(`${site}/docs`)).text();
}

/** Starts its own service, measures it and stops it. */
export async function timeService(dataDir: string) {
  const { child, target, ready_ms } = await startChild(dataDir);
  const site = target.base_url.replace(/\/api\/v1$/, '');
  try {
    await createLatency(target, 1, 40);
    const create_1_client = await createLatency(target, 1, 200);
    const create_16_clients = await createLatency(target, 16, 400);
    const create_to_succeeded = await toSucceeded(target, 150);
    const pid = child.pid ?? 0;
    const runs = await sustained(pid, { clients: 16, times: 800 }, async () =>
      succeeded(target, (await create(target)).id),
    );
    const { id } = await create(target);
    await succeeded(target, id);
    const readStatus = () => request(target, 'GET', `/runs/${id}`, 200);
    const status_read = await latencyOf(readStatus, 200);
    const status_reads = await sustained(pid, { clients: 16, times: 4000 }, readStatus);
    const event_page = await latencyOf(() => request(target, 'GET', `/runs/${id}/events`, 200), 200);
    const event_seen_long_poll = await seenByLongPoll(target, 40);
    // The first reader of all waits for the function of the stream, too.
    await seenByStream(target, 2);
    const event_seen_stream = await seenByStream(target, 40);
    await touchEveryRoute(target, site);
    // Idle threads give their garbage back after a second.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const resident_mb = residentMb(pid);
    // After the figures that have been taken since long, so that those stay comparable.
    const readOneOfMany = await readsOfMany(target);
    const status_reads_of_16_runs = await sustained(pid, { clients: 16, times: 4000 }, readOneOfMany);
    const fifty_steps = await manySteps(target, 10);
    await liftLimits(dataDir, target.workspace_id);
    const create_16_clients_10000_slots = await createWithoutWaiting(target, 400);
    return {
      ready_ms,
      create_1_client,
      create_16_clients,
      create_to_succeeded,
      runs,
      status_read,
      status_reads,
      event_page,
      event_seen_long_poll,
      event_seen_stream,
      resident_mb,
      status_reads_of_16_runs,
      fifty_steps,
      create_16_clients_10000_slots,
    };
  } finally {
    await end(child);
  }
}
