// Monitors in tests: bodies, requests and what is waited for.
import type { Home } from './given.ts';
import { call, until } from './service.ts';

/** A plan run over the companies in Berlin, as a table. */
export const berlin = {
  input_type: 'plan',
  plan: {
    title: 'Companies in Berlin',
    steps: [
      {
        kind: 'fetch',
        title: 'Get them',
        params: { entity_types: ['company'], where: { field: 'city', op: '=', value: 'Berlin' } },
      },
      { kind: 'reconstitute', title: 'Write', params: { expected_artifacts: ['table'] } },
    ],
  },
};

/** A run whose model call takes a while. */
export const slow = (ms: number) => ({
  input_type: 'plan',
  plan: {
    title: 'Slow',
    steps: [{ kind: 'analyze', title: 'Think', instructions: `think [[delay:${ms}]]` }],
  },
});

/** A time of day that is far away, whenever the tests run. */
export const yearly = { cron: '0 0 29 2 *' };

/** A body of POST /monitors that fires only on request. */
export const monitorBody = (change: object = {}) => ({ name: 'Berlin', run: berlin, on: yearly, ...change });

/** POST /monitors. */
export function creates(
  { key, access }: Pick<Home, 'key' | 'access'>,
  body: unknown,
  headers: Record<string, string> = {},
) {
  return call('POST', '/monitors', { key, body, headers, access });
}

/** A monitor that exists now. */
export async function monitor(home: Pick<Home, 'key' | 'access'>, change: object = {}) {
  return (await creates(home, monitorBody(change))).body;
}

/** POST /monitors/{id}/fire. */
export function fires(
  { key, access }: Pick<Home, 'key' | 'access'>,
  id: string,
  headers: Record<string, string> = {},
) {
  return call('POST', `/monitors/${id}/fire`, { key, headers, access });
}

/** The fires of a monitor, newest first. */
export async function firesOf({ key, access }: Pick<Home, 'key' | 'access'>, id: string) {
  return (await call('GET', `/monitors/${id}/fires?limit=100`, { key, access })).body.data;
}

/** The newest fire that meets a wish, once there is one. */
export function fireThat(
  home: Pick<Home, 'key' | 'access'>,
  id: string,
  wished: (fire: Record<string, unknown>) => boolean,
) {
  return until(`a fire of ${id}`, async () => (await firesOf(home, id)).find(wished));
}
