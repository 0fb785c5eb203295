// Many creates at once where only some fit: by slots, then by credits.
import { ApiError } from '#contract/errors.ts';
import { checkCreate } from '#domain/commands/check-create.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { createWorkspace, type Settings } from '#domain/workspaces/settings.ts';
import { readCounters } from '#store/money/counters.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { random } from '../../support/random.ts';
import { startedRun } from '../../support/run-drafts.ts';
import { countedModel } from './counted-model.ts';

const CREATES = 200;
const FIT = 50;
/** What an analysis costs. */
const CREDITS = 20;

interface Crowd {
  created: number;
  refused: Record<string, number>;
  slots: number;
  credits_free: number | undefined;
}

async function crowd(settings: Settings): Promise<Crowd> {
  const { workspace_id } = await createWorkspace({ name: 'Crowd', tier: 'pro', ...settings });
  const workspace = await workspaces.get(workspace_id);
  if (!workspace) throw new Error('no workspace');
  const steps = [{ kind: 'analyze', title: 'All', instructions: 'all' }];
  const body = { input_type: 'plan', plan: { title: 'Plan', steps } };
  const checked = checkCreate(body, (schema, value) => schema.parse(value));
  const key = { key_id: 'key', workspace_id, name: 'key', scopes: [], created_at: 0 };
  const caller = {
    key,
    workspace,
    spent_today: { workspace: 0n, key: 0n },
  };
  const { model, pricing } = countedModel(random(1));
  const create = () =>
    startedRun(
      createRun(
        { caller, request_id: 'request', checked, idempotency: undefined },
        { model, prices: pricing.prices },
      ),
    );
  const results = await Promise.allSettled(Array.from({ length: CREATES }, create));
  const refused: Record<string, number> = {};
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    if (!(result.reason instanceof ApiError)) throw result.reason;
    refused[result.reason.code] = (refused[result.reason.code] ?? 0) + 1;
  }
  const { slots, credits_free } = await readCounters(workspace_id);
  const created = results.filter(({ status }) => status === 'fulfilled').length;
  return { created, refused, slots: Object.keys(slots).length, credits_free };
}

/** What is wrong with who fits: exactly 50 of 200, whether slots or credits are scarce. */
export async function crowdBreaches(): Promise<string[]> {
  const slots = await crowd({ max_concurrent_runs: FIT });
  const credits = await crowd({ max_concurrent_runs: CREATES, credits: FIT * CREDITS + CREDITS - 1 });
  const holds =
    slots.created === FIT &&
    slots.slots === FIT &&
    slots.refused.concurrent_runs_exceeded === CREATES - FIT &&
    credits.created === FIT &&
    credits.slots === FIT &&
    credits.credits_free === CREDITS - 1 &&
    credits.refused.workspace_cost_cap_exceeded === CREATES - FIT;
  return holds ? [] : [`of ${CREATES} creates ${FIT} fit: ${JSON.stringify({ slots, credits })}`];
}
