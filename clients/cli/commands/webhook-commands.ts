// `webhooks listen`, `list`, `redeliver`: webhooks during development, and the service's deliveries.
import { durationText } from '../../duration-text.ts';
import type { Delivery, WorkspaceDelivery } from '../../sdk/index.ts';
import { anId, httpUrl, wholeFrom } from '../argument-parsers.ts';
import { connectionOf } from '../connection/chosen-service.ts';
import { listening } from '../listen/listening.ts';
import { whenText } from '../output/amounts.ts';
import { columnsText } from '../output/columns.ts';
import { plainLines } from '../output/plain.ts';
import type { Screen } from '../output/terminal.ts';
import { asking, commonFlags, listed, serviceOf, valueFlag } from './command.ts';
import { command } from './define.ts';
import { runArgument } from './read.ts';

export const listen = command(
  {
    brief: 'forward the webhooks of ended runs to an address, signed as the service signs them',
    flags: {
      forward: {
        kind: 'parsed',
        parse: httpUrl,
        placeholder: 'URL',
        brief: 'the receiver; nothing is sent elsewhere',
      },
      run: valueFlag(anId, 'RUN', 'of this run alone, until it has ended'),
      ...commonFlags,
    },
  },
  async (context, flags) => {
    const { forward, run } = flags;
    const { base_url, api_key } = connectionOf(flags, context);
    return listening(context, {
      service: serviceOf(context, flags),
      base_url,
      api_key,
      forward,
      run,
      json: flags.json === true,
    });
  },
);

export const list = command(
  {
    brief: 'the webhook deliveries of a run, or of the workspace, with their attempts',
    positional: {
      kind: 'tuple',
      parameters: [{ parse: anId, placeholder: 'RUN', brief: 'id of a run', optional: true }],
    },
    flags: {
      status: {
        kind: 'enum',
        values: ['pending', 'delivered', 'failed'],
        optional: true,
        brief: 'of the workspace, in this state',
      },
      limit: valueFlag(wholeFrom(1), 'N', 'of the workspace, at most so many (20)'),
      ...commonFlags,
    },
  },
  asking(
    async ({ deliveries }, options, { status, limit }, id) =>
      id === undefined
        ? await deliveries.all({ ...(status && { status }), ...(limit && { limit }) }, options)
        : listed(deliveries.list(id, options)),
    ({ data }, screen) => data.map((one) => deliveryText(one, screen)).join(''),
  ),
);

export const redeliverFailed = command(
  { brief: 'make the service deliver failed webhooks again, at most 100, oldest first' },
  asking(
    ({ deliveries }, options) => deliveries.redeliverAll({}, options),
    ({ redelivered }) => plainLines([`${redelivered} redelivered`]),
    ({ has_more }) => (has_more ? 'more have failed; repeat the command' : undefined),
  ),
);

export const redeliver = command(
  {
    brief: 'make the service deliver a webhook again',
    positional: {
      kind: 'tuple',
      parameters: [...runArgument.parameters, { parse: anId, placeholder: 'EVENT', brief: 'id of an event' }],
    },
  },
  asking(({ deliveries }, options, _, id, event) => deliveries.redeliver(id, event, options), deliveryText),
);

function deliveryText(delivery: Delivery | WorkspaceDelivery, screen: Screen): string {
  const { event_id, event_type, url, status, attempts } = delivery;
  const run = 'run_id' in delivery ? [delivery.run_id] : [];
  const made = attempts.map(({ at, status_code, error, duration_ms }) => [
    `  ${whenText(at, screen)}`,
    `${status_code ?? error ?? ''}`,
    durationText(duration_ms),
  ]);
  return columnsText([[...run, event_id, event_type, status, url]]) + columnsText(made);
}
