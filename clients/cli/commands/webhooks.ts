// `webhooks listen`, `list`, `redeliver`: webhooks during development, and the service's deliveries.
import { buildCommand } from '@stricli/core';
import { durationText } from '../../duration-text.ts';
import type { Delivery } from '../../sdk/index.ts';
import { httpUrl } from '../arguments.ts';
import { connectionOf } from '../connection/connection.ts';
import type { Context } from '../context.ts';
import { listening } from '../listen/listening.ts';
import { timeText } from '../output/figures.ts';
import { columnsText } from '../output/table.ts';
import { answer, type CommonFlags, commonFlags, guarded, serviceOf, textFlag } from './command.ts';
import { runArgument } from './read.ts';

interface ListenFlags extends CommonFlags {
  readonly forward: URL;
  readonly run?: string;
}

export const listen = buildCommand<ListenFlags, [], Context>({
  docs: { brief: 'forward the webhooks of ended runs to an address, signed as the service signs them' },
  parameters: {
    flags: {
      forward: {
        kind: 'parsed',
        parse: httpUrl,
        placeholder: 'URL',
        brief: 'the receiver; nothing is sent elsewhere',
      },
      run: textFlag('RUN', 'of this run alone, until it has ended'),
      ...commonFlags,
    },
  },
  func: guarded(async (context, flags) => {
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
  }),
});

export const list = buildCommand<CommonFlags, [string], Context>({
  docs: { brief: 'the webhook deliveries of a run, with their attempts' },
  parameters: { positional: runArgument, flags: commonFlags },
  func: guarded(async (context, flags, id) => {
    const data = await serviceOf(context, flags).deliveries.list(id, { signal: context.interrupted });
    answer(context, flags, { object: 'list', data }, () => data.map(deliveryText).join(''));
    return 'ok';
  }),
});

export const redeliver = buildCommand<CommonFlags, [string, string], Context>({
  docs: { brief: 'make the service deliver a webhook again' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        ...runArgument.parameters,
        { parse: (id: string) => id, placeholder: 'EVENT', brief: 'id of an event' },
      ],
    },
    flags: commonFlags,
  },
  func: guarded(async (context, flags, id, event) => {
    const delivery = await serviceOf(context, flags).deliveries.redeliver(id, event, {
      signal: context.interrupted,
    });
    answer(context, flags, delivery, () => deliveryText(delivery));
    return 'ok';
  }),
});

function deliveryText({ event_id, event_type, url, status, attempts }: Delivery): string {
  const made = attempts.map(({ at, status_code, error, duration_ms }) => [
    `  ${timeText(at)}`,
    `${status_code ?? error ?? ''}`,
    durationText(duration_ms),
  ]);
  return columnsText([[event_id, event_type, status, url]]) + columnsText(made);
}
