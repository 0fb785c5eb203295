// A new environment of Records: it starts, is asked the questions of its order, and prints what each took.
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { entityWrites } from '#store/records/entity-items.ts';
import { keys } from '#store/table/table-keys.ts';
import { handler } from '../../../../functions/jobs/answer-questions.ts';
import { useMemoryTable } from '../../../support/memory-table/use-memory-table.ts';
import { type Answered, type Moment, Order } from './order.ts';
import { type QuestionName, questionsOf } from './questions.ts';
import { recordsOf } from './records.ts';

const BYTES_PER_MB = 1e6;
const BYTES_PER_KB = 1024;
const Sized = z.union([z.object({ matched: z.number() }), z.array(z.unknown())]);

/** A clock from now on: wall time, and processor time of all threads. */
function clock(): () => Moment {
  const begun = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { wall_ms: performance.now() - begun, processor_ms: (user + system) / 1000 };
  };
}

function anonymousMb(): number {
  const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return (Number(kilobytes) * BYTES_PER_KB) / BYTES_PER_MB;
}

async function answer(order: Order): Promise<Answered> {
  let tableCalls: Moment[] = [];
  let sinceAsked = clock();
  const table = useMemoryTable(async ({ input }, perform) => {
    tableCalls.push(sinceAsked());
    return perform(input);
  });
  const { workspace_id, size, dimensions, head } = order;
  table.perform('PutCommand', { Item: { ...keys.recordsHead(workspace_id), ...head } });
  // A small workspace has no snapshot; its index is built from the table.
  if (!head.snapshot)
    for (const { entity, vector } of recordsOf(workspace_id, size, dimensions))
      table.perform('TransactWriteCommand', { TransactItems: entityWrites(entity, { vector }) });

  const asked = questionsOf(dimensions);
  async function ask(name: QuestionName): Promise<{ took: Moment; found: number }> {
    const question = { workspace_ids: [workspace_id], ...asked[name], budget_ms: 60_000 };
    tableCalls = [];
    sinceAsked = clock();
    const reply = await handler(question);
    const took = sinceAsked();
    if (reply.outcome !== 'read') throw new Error(`${name} was not answered: ${JSON.stringify(reply)}`);
    const sized = Sized.parse(reply.output);
    return { took, found: 'matched' in sized ? sized.matched : sized.length };
  }

  const process_start_ms = performance.now();
  const asked_at = performance.timeOrigin + process_start_ms;
  const none: Moment = { wall_ms: 0, processor_ms: 0 };
  const answered: Answered = {
    ...{ process_start_ms, asked_at, build_begins: none, index_current: none, peak_mb: 0 },
    questions: [],
  };
  for (const { name, times } of order.questions) {
    const took: Moment[] = [];
    let found = 0;
    for (let time = 0; time < times; time += 1) {
      const one = await ask(name);
      if (answered.questions.length === 0 && time === 0) {
        answered.build_begins = tableCalls[0] ?? none;
        answered.index_current = tableCalls.at(-1) ?? none;
      }
      took.push(one.took);
      found = one.found;
    }
    const memory_mb = process.memoryUsage().rss / BYTES_PER_MB;
    answered.questions.push({ name, found, took, memory_mb, anonymous_mb: anonymousMb() });
  }
  answered.peak_mb = (process.resourceUsage().maxRSS * BYTES_PER_KB) / BYTES_PER_MB;
  return answered;
}

const order = Order.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
process.stdout.write(JSON.stringify(await answer(order)));
