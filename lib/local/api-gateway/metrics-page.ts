// GET /metrics, for programs on this machine alone.
import type { IncomingMessage, ServerResponse } from 'node:http';

const PATH = '/metrics';
/** What proxies add. One that adds none of them looks like a program on this machine. */
const BY_PROXY = /^(forwarded|x-forwarded.*|via|x-real-ip|cf-connecting-ip)$/;
const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Whether a request is for the metrics and comes from this machine itself, not through a proxy on it. */
export function isForMetrics({ method, url, socket, headers }: IncomingMessage): boolean {
  const asks = (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === PATH;
  const isForwarded = Object.keys(headers).some((name) => BY_PROXY.test(name));
  return asks && !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}

/** Sends the page. */
export function sendMetrics(response: ServerResponse, page: { text: string; mediaType: string }): void {
  response.writeHead(200, { 'content-type': page.mediaType, 'cache-control': 'no-store' });
  response.end(page.text);
}
