// A workspace with monitors on a virtual clock: what a queue and a sweep would do, on request.
import { vi } from 'vitest';
import type { Fire, Trigger } from '#contract/monitors.ts';
import type { CreateRun } from '#contract/runs.ts';
import { type CallerWithCosts, checkStanding } from '#domain/access/authenticate.ts';
import type { MonitorView } from '#domain/monitors/find-monitor.ts';
import { fireDue, fireNow } from '#domain/monitors/fire.ts';
import {
  completeTrigger,
  createMonitor,
  type MonitorSettings,
  updateMonitor,
} from '#domain/monitors/manage.ts';
import { enqueueFires } from '#domain/recovery/enqueue-fires.ts';
import { check } from '#edge/check-schema.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { newId } from '#platform/ids.ts';
import * as fires from '#store/monitors/fires.ts';
import type { MonitorKey } from '#store/monitors/monitors.ts';
import * as monitors from '#store/monitors/monitors.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import { onEnqueue } from '../../support/fakes.ts';
import { caller } from '../../support/runs.ts';
import { sweepTime } from '../../support/sweep-time.ts';

const prices = { offline: { input: 1, cached_input: 1, output: 4 } };
export const setting = { model: { model: offlineModel(), prices }, check };

/** Who acts in the audit. */
export const by = { actor: 'admin', request_id: 'r' };

/** A run without a model. */
export const text: CreateRun = {
  input_type: 'plan',
  plan: { title: 'Text', steps: [{ kind: 'inject_context', title: 'Text', params: { text: 'x' } }] },
};

/** A workspace whose key makes monitors. */
export async function tenant(): Promise<Tenant> {
  return keyIn((await caller()).workspace.workspace_id);
}

/** A key that makes monitors in a workspace. */
export async function keyIn(workspace_id: string): Promise<Tenant> {
  const key_id = `key_${workspace_id.replaceAll('-', '')}_0123456789abcdef`;
  const key = { key_id, workspace_id, name: 'K', scopes: ['runs:create' as const], created_at: 0 };
  await apiKeys.create(key, newId(), 'sealed');
  return { workspace_id, key_id };
}

interface Tenant {
  workspace_id: string;
  key_id: string;
}

async function callerOf({ workspace_id, key_id }: Tenant): Promise<CallerWithCosts> {
  const found = await apiKeys.findKeyWithCosts(key_id, workspace_id);
  return { ...found, ...checkStanding(found.key, found.workspace) };
}

/** Changes a monitor, as its key. */
export async function updates(
  key: MonitorKey,
  wish: Parameters<typeof updateMonitor>[2],
): Promise<MonitorView> {
  return updateMonitor(await callerOf(await stored(key)), key.monitor_id, wish, by);
}

/** A monitor with these settings, created now. */
export async function newMonitor(
  tenant: Tenant,
  on: Trigger,
  settings: Partial<MonitorSettings> & { run?: CreateRun } = {},
): Promise<MonitorKey> {
  const { run = text, ...rest } = settings;
  const made = await createMonitor({
    caller: await callerOf(tenant),
    run,
    settings: {
      ...{ name: 'M', status: 'active', overlap: 'skip', catch_up_seconds: 3600, notify: 'every' },
      ...rest,
      on: completeTrigger(on, Date.now()),
    },
    idempotency: undefined,
    by,
  });
  return { workspace_id: tenant.workspace_id, monitor_id: made.monitor.id };
}

/** Moves the clock, which must be a fake one. */
export function passes(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/** Fires what is due now, as the queue's worker does. */
export const works = (key: MonitorKey) => fireDue(key, setting);

/** A request for a fire. */
export async function asks(key: MonitorKey): Promise<Fire | undefined> {
  return fireNow(key, { request_id: 'r', effects: () => [] }, setting);
}

/** The fires, newest first, without their ids and times of decision. */
export async function listed(key: MonitorKey) {
  return (await fires.page(key, 100)).map(({ id: _, fired_at: __, ...fire }) => fire);
}

/** What is stored of the monitor. */
export async function stored({ workspace_id, monitor_id }: MonitorKey) {
  const found = await monitors.get(workspace_id, monitor_id);
  if (!found) throw new Error('there is no such monitor');
  return found;
}

/** The messages that a sweep queues for a monitor, with their delays in seconds. */
export async function swept({ monitor_id }: MonitorKey): Promise<number[]> {
  return (await sweptOf([monitor_id])).get(monitor_id) ?? [];
}

/** As `swept`, of several monitors. */
export async function sweptOf(ids: string[]): Promise<Map<string, number[]>> {
  const delays = new Map<string, number[]>();
  onEnqueue(async ({ message, delay }) => {
    const id = ids.find((one) => one === Object(message).monitor_id);
    if (id !== undefined) delays.set(id, [...(delays.get(id) ?? []), delay ?? 0]);
  });
  await enqueueFires(sweepTime(Date.now()));
  return delays;
}
