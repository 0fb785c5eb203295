// Sends a request exactly as generated; `fetch` would fix paths and refuse bodies.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Answer } from './judge.ts';
import type { FuzzedRequest } from './request.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const PATIENCE_MS = 60_000;

/** The answer, or an Error when the connection breaks or is silent for a minute. */
export function send(siteUrl: string, fuzzed: FuzzedRequest): Promise<Answer> {
  const { hostname, port } = new URL(siteUrl);
  const { method, path, headers, body } = fuzzed;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        method,
        path,
        agent,
        setHost: true,
        headers: { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
        timeout: PATIENCE_MS,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: unzipped(Buffer.concat(parts), response.headers).toString(),
          }),
        );
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer within a minute')));
    request.on('error', reject);
    request.end(body);
  });
}

/** A reply to HEAD has no body, whatever its headers say of one. */
function unzipped(body: Buffer, headers: IncomingHttpHeaders): Buffer {
  return headers['content-encoding'] === 'gzip' && body.length > 0 ? gunzipSync(body) : body;
}

/** Closes keep-alive connections. */
export function hangUp(): void {
  agent.destroy();
}
