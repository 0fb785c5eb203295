// An OpenAI-compatible server on loopback that does every task and records its requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TaskKind, tasks } from '#models/tasks/task-registry.ts';
import { type ChatRequest, completion, type Habit, type HabitReply, USAGE } from './provider-habits.ts';
import { answerTo, emptyStep } from './task-answers.ts';

export { completion };

/** A call: its task, and the request and data from the prompt. */
interface Asked {
  task: TaskKind;
  // Prompts differ by task; tests read what they need.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  request: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  data: any;
  /** The length of the prompt. */
  characters: number;
}

/** Replaces a reply: a status with words, this text as the model's answer, its usage, or the whole body. */
type Trouble =
  | { status: number; words?: string }
  | { says: string }
  | { usage: object | null }
  | { body: string };

export interface OpenAiServer {
  /** As in a model setting. */
  spec: string;
  asked: Asked[];
  /** The most concurrent calls so far. */
  most_at_once: number;
  /** Troubles for the next calls of a task, in order. */
  trouble: Partial<Record<TaskKind, Trouble[]>>;
  /** What it does at each call that has no trouble. */
  habit: Habit | undefined;
  /** Delay of a reply. */
  delay_ms: number;
  /** Statuses of the next replies to a request for vectors. */
  vector_trouble: number[];
  /** The texts of each request for vectors that was answered. */
  embedded: string[][];
  /** The length of its vectors. */
  dimensions: number;
  /** Forms of JSON that it refuses, as `response_format` names them. */
  refuses: Set<string | undefined>;
  /** Its list of models; undefined: it has none. */
  models: object[] | undefined;
  /** The Authorization headers seen. */
  keys: Set<string | undefined>;
  close(): Promise<void>;
}

/** The longest prompt first: one task's may begin with another's. */
const taskKinds = (Object.keys(tasks) as TaskKind[]).toSorted(
  (left, right) => tasks[right].prompt.length - tasks[left].prompt.length,
);

/** Replies that tests assert on; any other task gets one generated from its schema. */
const answers: { [K in TaskKind]?: (asked: Pick<Asked, 'request' | 'data'>) => unknown } = {
  plan: () => ({
    title: 'Companies in Berlin',
    steps: [
      { ...emptyStep, kind: 'fetch', title: 'Fetch', instructions: null, entity_types: ['company'] },
      { ...emptyStep, kind: 'filter', title: 'Keep Berlin', instructions: 'companies in Berlin' },
      {
        ...emptyStep,
        kind: 'reconstitute',
        title: 'Answer',
        instructions: 'Name them.',
        expected_artifacts: ['table', 'Notes'],
      },
    ],
  }),
  filter: ({ data }) => ({
    verdicts: Object.fromEntries(
      data.items.map(({ id, fields }: { id: string; fields: { city?: string } }) => [
        id,
        { score: 2, keep: fields.city === 'Berlin' },
      ]),
    ),
  }),
  transform: ({ request, data }) => ({
    values: Object.fromEntries(request.output_fields.map((field: string) => [field, `${data.item.name}!`])),
  }),
  reconstitute: ({ request, data }) => ({
    message: `There are ${data.items.length}.`,
    texts: Object.fromEntries(
      request.text_titles.map((title: string, i: number) => [`text_${i + 1}`, `On ${title}.`]),
    ),
    table_title: 'Companies',
  }),
};

/** A usable answer. */
function answerOf({ task, request, data }: Asked): unknown {
  return answers[task]?.({ request, data }) ?? answerTo(task, { ...request, ...data });
}

/** Starts the server. */
export async function openAiServer(model = 'test'): Promise<OpenAiServer> {
  let atOnce = 0;
  const http = createServer(async (request, response) => {
    if (request.method === 'GET') return void giveModels(server.models, response);
    atOnce += 1;
    server.most_at_once = Math.max(server.most_at_once, atOnce);
    response.on('close', () => {
      atOnce -= 1;
    });
    server.keys.add(request.headers.authorization);
    const body = await bodyOf(request);
    if (request.url?.endsWith('/embeddings')) return giveVectors(server, JSON.parse(body).input, response);
    const { type } = JSON.parse(body).response_format ?? {};
    if (server.refuses.has(type)) return refuse(`response_format ${type} is not supported`, response);
    const asked = askedIn(body);
    if (!asked) return void response.writeHead(200).end(completion('{"ready":true}'));
    server.asked.push(asked);
    await new Promise((resolve) => setTimeout(resolve, server.delay_ms));
    const trouble = server.trouble[asked.task]?.shift();
    const odd = trouble
      ? undefined
      : server.habit?.(JSON.parse(body) as ChatRequest, JSON.stringify(answerOf(asked)));
    if (odd) return giveOdd(odd, response);
    give(asked, trouble, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const server: OpenAiServer = {
    spec: `openai:${model}@http://127.0.0.1:${port}/v1`,
    asked: [],
    most_at_once: 0,
    trouble: {},
    habit: undefined,
    delay_ms: 0,
    vector_trouble: [],
    embedded: [],
    dimensions: 2,
    refuses: new Set(),
    models: undefined,
    keys: new Set(),
    close: () => {
      http.closeAllConnections();
      return new Promise((resolve) => http.close(() => resolve()));
    },
  };
  return server;
}

function giveModels(data: object[] | undefined, response: ServerResponse): void {
  response.writeHead(data ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(data ? { object: 'list', data } : { error: { message: 'no such page' } }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}

/** The task of a request; undefined: it is the check of the start. */
function askedIn(body: string): Asked | undefined {
  const { messages } = JSON.parse(body);
  const says = (role: string) =>
    String(messages.find((message: { role: string }) => message.role === role).content);
  const instructions = says('system');
  if (instructions.includes('whether you are there')) return undefined;
  const task = taskKinds.find((kind) => instructions.includes(tasks[kind].prompt));
  if (!task) throw new Error(`no task has the prompt ${instructions}`);
  const block = (name: string) =>
    JSON.parse(says('user').split(`<${name}>`)[1]?.split(`</${name}>`)[0] ?? 'null');
  const characters = says('system').length + says('user').length;
  return { task, request: block('request'), data: block('data'), characters };
}

function refuse(message: string, response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}

/** Embeds each text as its length and first character. */
function giveVectors(server: OpenAiServer, texts: string[], response: ServerResponse): void {
  const status = server.vector_trouble.shift();
  if (status !== undefined) {
    response.writeHead(status, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ error: { message: 'trouble' } }));
  }
  server.embedded.push(texts);
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: Array.from({ length: server.dimensions }, (_, i) =>
      i % 2 === 0 ? text.length : text.charCodeAt(0),
    ),
  }));
  const usage = { prompt_tokens: texts.length, total_tokens: texts.length };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ object: 'list', model: 'test', data, usage }));
}

function giveOdd({ status = 200, headers = {}, body }: HabitReply, response: ServerResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

function give(asked: Asked, trouble: Trouble | undefined, response: ServerResponse): void {
  const { status, words = 'trouble' } = trouble && 'status' in trouble ? trouble : { status: 200 };
  response.writeHead(status, { 'content-type': 'application/json' });
  if (status !== 200) return void response.end(JSON.stringify({ error: { message: words, type: 'x' } }));
  if (trouble && 'body' in trouble) return void response.end(trouble.body);
  const content = trouble && 'says' in trouble ? trouble.says : JSON.stringify(answerOf(asked));
  // A prompt that was read whole has about a token for four characters.
  const read = { ...USAGE, prompt_tokens: Math.max(USAGE.prompt_tokens, Math.ceil(asked.characters / 4)) };
  const usage = trouble && 'usage' in trouble ? (trouble.usage ?? undefined) : read;
  response.end(completion(content, { usage }));
}
