// Stands before a service and refuses, as API Gateway does, what exceeds the throttle of its method.
import { randomUUID } from 'node:crypto';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { sendGatewayResponse } from '../../lib/local/api-gateway/gateway-response.ts';
import { readRestApi } from '../../lib/local/api-gateway/rest-api.ts';
import type { Started } from '../../lib/local/runtime/runtime.ts';

const THROTTLED = { type: 'THROTTLED', status: 429, message: 'Too Many Requests' };

/** A bucket of requests: it is full at first, and fills again at the rate. */
interface Throttle {
  per_second: number;
  burst: number;
}

/** Throttles by `<method> <path>`; other requests pass. */
export async function throttledGateway(
  { stack, site_url }: Started,
  throttles: Readonly<Record<string, Throttle>>,
): Promise<{ site_url: string; base_url: string; close(): void }> {
  const api = readRestApi(stack);
  const buckets = new Map<string, { left: number; filledAt: number }>();

  function admits(name: string): boolean {
    const throttle = throttles[name];
    if (!throttle) return true;
    const now = Date.now();
    const { left, filledAt } = buckets.get(name) ?? { left: throttle.burst, filledAt: now };
    const filled = Math.min(throttle.burst, left + ((now - filledAt) / 1000) * throttle.per_second);
    buckets.set(name, { left: filled < 1 ? filled : filled - 1, filledAt: now });
    return filled >= 1;
  }

  const server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const [path = '/', query = ''] = url.split('?');
    const received = { request, body: Buffer.alloc(0), path, query };
    if (!admits(`${method} ${path.replace(`/${api.stage}`, '')}`))
      return sendGatewayResponse(
        response,
        api,
        { ...received, requestId: randomUUID(), receivedAt: Date.now() },
        THROTTLED,
      );
    const forwarded = send(new URL(url, site_url), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      pipeline(reply, response, () => {});
    });
    pipeline(request, forwarded, () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const site = `http://127.0.0.1:${port}`;
  return {
    site_url: site,
    base_url: `${site}/${api.stage}/v1`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
