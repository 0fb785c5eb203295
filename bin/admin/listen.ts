// `admin listen`: forwards the webhooks of ended runs to an address on this machine, signed as the service signs them.
import * as z from 'zod';
import { CliError } from './cli-error.ts';
import type { Send } from './connect-admin.ts';
import { sendOn } from './send-on.ts';

const Webhook = z.object({
  run_id: z.string(),
  event_id: z.string(),
  completed_at: z.number(),
  body: z.string(),
  headers: z.record(z.string(), z.string()),
});
const Answer = z.object({ webhooks: z.array(Webhook), workspace_id: z.string().optional() });

export const Listening = z.object({
  run_id: z.string().optional(),
  workspace_id: z.string().optional(),
  forward_to: z.string(),
});
export type Listening = z.infer<typeof Listening>;

const POLL_MS = 1000;
const TIMEOUT_MS = 10_000;

/** Checks that a URL is on this machine; other receivers should be a callback URL. Throws CliError `invalid_arguments`. */
function localAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const local = url && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!url || !local || !/^https?:$/.test(url.protocol))
    throw new CliError(
      'invalid_arguments',
      '--forward-to takes an http(s) URL on this machine (localhost, 127.0.0.1 or [::1]).',
    );
  return url;
}

async function forward(webhook: z.infer<typeof Webhook>, url: URL): Promise<void> {
  const said = (outcome: object) =>
    process.stderr.write(
      `${JSON.stringify({ event_id: webhook.event_id, run_id: webhook.run_id, ...outcome })}\n`,
    );
  try {
    const { headers, body } = webhook;
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    said({ status_code: response.status });
    await response.body?.cancel();
  } catch (error) {
    said({ error: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * With a run: waits for its end, forwards it and returns. With a workspace: forwards every run that ends, until it is interrupted.
 * One line per webhook goes to stderr; the answer counts them. Throws CliError.
 */
export async function listen(send: Send, { run_id, workspace_id, forward_to }: Listening): Promise<object> {
  if ((run_id === undefined) === (workspace_id === undefined))
    throw new CliError('invalid_arguments', 'Give --run or --workspace, one of them.');
  const url = localAddress(forward_to);
  const seen = new Set<string>();
  let stopped = false;
  process.once('SIGINT', () => {
    stopped = true;
  });
  const ended_after = run_id === undefined ? Date.now() : 0;
  let home = workspace_id;
  while (!stopped) {
    const asked = { command: 'webhook.sign', run_id, workspace_id: home, ended_after } as const;
    const { webhooks, ...answer } = Answer.parse(await sendOn(send, asked));
    home = answer.workspace_id ?? home;
    for (const webhook of webhooks.filter(({ event_id }) => !seen.has(event_id))) {
      seen.add(webhook.event_id);
      await forward(webhook, url);
    }
    if (run_id !== undefined && seen.size > 0) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return { forwarded: seen.size };
}
