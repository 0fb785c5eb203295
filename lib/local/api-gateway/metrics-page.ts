// GET /metrics, for programs on this machine alone.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isFromThisMachine } from './from-this-machine.ts';

const PATH = '/metrics';

/** Whether a request is for the metrics and comes from this machine itself, not through a proxy on it. */
export function isForMetrics(request: IncomingMessage): boolean {
  const { method, url } = request;
  const asks = (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === PATH;
  return asks && isFromThisMachine(request);
}

/** Sends the page. */
export function sendMetrics(response: ServerResponse, page: { text: string; mediaType: string }): void {
  response.writeHead(200, { 'content-type': page.mediaType, 'cache-control': 'no-store' });
  response.end(page.text);
}
