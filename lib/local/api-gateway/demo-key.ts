// POST /console/demo-key: the key of the demo workspace, for the console's page in a browser of the same user on this
// machine. Browsers say truly which page asks, so no other page gets it (rules.md: local 19).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isFromThisMachine, isOfThisUser } from './from-this-machine.ts';

/** Where the console asks, relative to its page. */
export const DEMO_KEY_PATH = 'console/demo-key';
const PATH = new RegExp(`^(/[^/?]+)?/${DEMO_KEY_PATH}$`);

/** Whether a request asks for the key and may have it. */
export function isForDemoKey(request: IncomingMessage): boolean {
  const { method, url = '', headers, socket } = request;
  return (
    method === 'POST' &&
    PATH.test(url) &&
    headers['sec-fetch-site'] === 'same-origin' &&
    isFromThisMachine(request) &&
    isOfThisUser(socket)
  );
}

/** Sends the key. */
export function sendDemoKey(response: ServerResponse, api_key: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ api_key }));
}
