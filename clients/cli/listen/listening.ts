// `webhooks listen`: forwards every end of a run that the service would deliver, at least once, until stopped.
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, ConnectionError, type RunService } from '../../sdk/index.ts';
import { answer, say } from '../commands/command.ts';
import type { ExitName } from '../exit-codes.ts';
import { plainLines } from '../output/plain.ts';
import type { Context } from '../surroundings.ts';
import { beginning, beginningOfRun, type Deliver, forwardEnds, forwardEndsOf } from './ended-runs.ts';
import { type Attempt, forward } from './forward.ts';
import { openPosition } from './position.ts';
import { webhookBody } from './signed-request.ts';

const ROUND_MS = 1000;

export interface Listening {
  service: RunService;
  base_url: string;
  api_key: string;
  forward: URL;
  /** This run only, until it has ended. */
  run: string | undefined;
  json: boolean;
}

/** Listens until Ctrl-C, or until the given run has ended; the next start continues where this one stopped. */
export async function listening(context: Context, { service, ...how }: Listening): Promise<ExitName> {
  const { interrupted: signal, env } = context;
  const deliver: Deliver = async (run, event) => {
    const body = webhookBody(run, event);
    const made = (attempt: Attempt) =>
      answer(context, how, { ...attempt, body }, () => plainLines([attemptText(attempt)]));
    await forward(event, body, { url: how.forward, apiKey: how.api_key, fetch: context.fetch, signal, made });
  };
  const me = await service.me({ signal });
  const identity = [how.base_url, me.workspace.id, me.key_id, how.forward.href, how.run ?? ''];
  if (how.run !== undefined) return listenToRun(context, service, how.run, identity, deliver);
  const stored = await openPosition(env, identity, () => beginning(service, signal));
  say(
    context,
    `forwarding webhooks of ${me.workspace.name} to ${how.forward.href}; Ctrl-C stops; the next start continues from there`,
  );
  const listener = { service, stored, deliver, signal };
  for (;;) {
    try {
      await forwardEnds(listener);
    } catch (error) {
      const passes =
        error instanceof ConnectionError || (error instanceof ApiError && error.retryAfterMs !== undefined);
      if (!passes) throw error;
      say(context, `the service is unavailable, waiting for it: ${error.message}`);
    }
    await wait(ROUND_MS, undefined, { signal });
  }
}

async function listenToRun(
  context: Context,
  service: RunService,
  id: string,
  identity: readonly string[],
  deliver: Deliver,
): Promise<ExitName> {
  const { env, interrupted: signal } = context;
  const stored = await openPosition(env, identity, async () =>
    beginningOfRun(await service.runs.get(id, { signal })),
  );
  say(context, `waiting for the end of run ${id}`);
  const run = await service.runs.watch(id, { signal }).done();
  await forwardEndsOf(run, { service, stored, deliver, signal });
  // Done: the next call forwards everything again.
  stored.forget();
  return 'ok';
}

function attemptText({ event_id, event_type, run_id, status_code, error }: Attempt): string {
  return `${new Date().toISOString()}  ${event_type}  ${run_id}  ${event_id}  ${status_code ?? error}`;
}
