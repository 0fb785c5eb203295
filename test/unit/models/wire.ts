// A provider on loopback: answers as the test decides, records what it was sent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '#contract/json.ts';

interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}
/** One answer; `hang` never answers, `drop` cuts the connection. */
export type Answer =
  | { status: number; body: Json | string; headers?: Record<string, string> }
  | 'hang'
  | 'drop';

export interface Provider {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

/** Serves the answers in turn, the last one again and again. */
export async function provider(...answers: Answer[]): Promise<Provider> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    // It has no list of models.
    if (request.method === 'GET') return void response.writeHead(404).end();
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const answer = answers[Math.min(received.length, answers.length - 1)] ?? 'drop';
      received.push({ path: request.url ?? '', headers: request.headers, body });
      give(answer, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function give(answer: Answer, response: ServerResponse): void {
  if (answer === 'hang') return;
  if (answer === 'drop') {
    response.destroy();
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
}

/** Usage as an OpenAI-compatible server reports it, and as we count it. */
const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 30,
  total_tokens: 130,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 10 },
};
export const COUNTED = { input_tokens: 100, cached_input_tokens: 40, output_tokens: 20, thinking_tokens: 10 };

/** A chat completion with this text. */
export function said(content: Json | string, usage: Json | undefined = USAGE): Answer {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return {
    status: 200,
    body: {
      id: 'chat-1',
      object: 'chat.completion',
      created: 1,
      model: 'small',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      ...(usage !== undefined && { usage }),
    },
  };
}
