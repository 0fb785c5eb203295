// Heavy work that others outside do for a tenant: live sources and receivers that do their worst.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { liveSource } from '../../support/live-source.ts';
import { answersOf, inEvents } from '../../support/raw-mcp.ts';
import { request } from '../bench/client.ts';
import type { Service } from './child.ts';
import { type Heavy, keepsBusy, repeated } from './heavy.ts';

const PINGS = 14_000;
const FAILED_RUNS = 100;
const REDELIVERED_MS = 15_000;
const LOOK_MS = 200;

/** An MCP server that sends as many pings as a reply may hold before each answer. */
function pinging({ admin }: Pick<Service, 'admin'>): Heavy {
  return async (tenant, site) => {
    const pings = Array.from({ length: PINGS }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const result = { structuredContent: { items: [{ name: 'x' }] }, content: [] };
    const server = await liveSource(answersOf({ result }, (reply) => inEvents([...pings, reply])));
    const source = { name: 'pinging', kind: 'mcp', url: server.url, tool: 'find' } as const;
    await admin({ command: 'source.create', workspace_id: tenant.workspace_id, source });
    try {
      await keepsBusy(repeated('fetch', { source: 'pinging' }))(tenant, site);
    } finally {
      server.close();
    }
  };
}

async function listening(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A receiver that refuses each delivery once and hangs at its redeliveries, which are asked for again and again. */
const hanging: Heavy = async (tenant) => {
  const seen = new Set<string>();
  const receiver = await listening((asked, response) => {
    const id = String(asked.headers['webhook-id']);
    if (!seen.has(id)) response.writeHead(410).end();
    seen.add(id);
  });
  const text = { kind: 'inject_context', title: 'Text', params: { text: 'x' } };
  const body = {
    input_type: 'plan',
    plan: { title: 'Reported', steps: [text] },
    config: { callback_url: receiver.url },
  };
  try {
    for (let n = 0; n < FAILED_RUNS; n += 1) await request(tenant, 'POST', '/runs', 202, body);
    for (const until = Date.now() + REDELIVERED_MS; Date.now() < until; ) {
      await request(tenant, 'POST', '/webhook-deliveries/redeliver', 202, { status: 'failed' });
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    receiver.close();
  }
};

/** By name. */
export const outside = (service: Pick<Service, 'admin'>): Record<string, Heavy> => ({
  busy_pinging_source: pinging(service),
  redelivered_to_a_hanging_receiver: hanging,
});
