// Queues with delays, visibility timeouts and dead letters, kept in one SQLite file.
import { createHash, randomUUID } from 'node:crypto';
import { openSqliteFile } from '../files/sqlite-file.ts';
import { isObject, numberAt, objectAt, optionalString, parseObject } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import type { Stack } from '../template/template.ts';

/** A queue as the template declares it. */
export interface Queue {
  name: string;
  url: string;
  arn: string;
  visibilitySeconds: number;
  delaySeconds: number;
  deadLetters?: { queue: string; maxReceiveCount: number };
}

/** A message handed to one receiver. */
export interface ReceivedMessage {
  id: string;
  receipt: string;
  body: string;
  /** JSON text of the message attributes, as sent. */
  attributes: string;
  sent_at: number;
  receives: number;
  first_received_at: number;
}

/** All queues of the stack. Times are epoch ms. */
export interface Queues {
  find(nameOrUrl: string): Queue | undefined;
  /** Stores a message, of a group of messages if it has one; returns its id. */
  send(queue: Queue, body: string, attributes: string, delaySeconds: number, group?: string): string;
  /**
   * Up to `max` messages, waiting up to `waitMs` for the first; each stays hidden for the queue's visibility timeout. As in a fair queue,
   * those of groups with few messages in flight come first, then the oldest.
   */
  receive(queue: Queue, max: number, waitMs: number, signal: AbortSignal): Promise<ReceivedMessage[]>;
  /** Deletes a received message; false when the receipt is not from this queue. */
  remove(queue: Queue, receipt: string): boolean;
  /** Messages by state: `<queue>.ready`, `<queue>.delayed`, `<queue>.in_flight` (with a receiver). */
  figures(): Record<string, number>;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY, queue TEXT NOT NULL, body TEXT NOT NULL, attributes TEXT NOT NULL, sent_at INTEGER NOT NULL,
    visible_at INTEGER NOT NULL, receives INTEGER NOT NULL, receipt TEXT, first_received_at INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS due ON messages (queue, visible_at);
  CREATE INDEX IF NOT EXISTS by_receipt ON messages (receipt);`;

/** Files of earlier versions lack the column. */
const HAS_GROUPS = "SELECT 1 FROM pragma_table_info('messages') WHERE name = 'message_group'";
const ADD_GROUPS = "ALTER TABLE messages ADD COLUMN message_group TEXT NOT NULL DEFAULT ''";

/** Opens the file for the template's queues. Throws SetupError for a FIFO queue and for a damaged file. */
export function openQueues(stack: Stack, file: string): Queues {
  const queues = declaredQueues(stack);
  const db = openSqliteFile(file, SCHEMA);
  if (!db.prepare(HAS_GROUPS).get()) db.exec(ADD_GROUPS);
  const insert = db.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, 0, NULL, 0, ?)');
  const due = db.prepare(`
    WITH busy AS (SELECT message_group, COUNT(*) AS in_flight FROM messages
      WHERE queue = ?1 AND visible_at > ?2 AND receipt IS NOT NULL AND message_group <> '' GROUP BY message_group)
    SELECT messages.* FROM messages LEFT JOIN busy USING (message_group) WHERE queue = ?1 AND visible_at <= ?2
    ORDER BY COALESCE(in_flight, 0), visible_at LIMIT ?3`);
  const next = db.prepare('SELECT MIN(visible_at) AS at FROM messages WHERE queue = ?');
  const take = db.prepare(
    'UPDATE messages SET visible_at = ?, receives = ?, receipt = ?, first_received_at = ? WHERE id = ?',
  );
  const move = db.prepare(
    'UPDATE messages SET queue = ?, visible_at = ?, receives = 0, receipt = NULL WHERE id = ?',
  );
  const removeRow = db.prepare('DELETE FROM messages WHERE receipt = ? AND queue = ?');
  const tally =
    db.prepare(`SELECT SUM(visible_at <= ?1) AS ready, SUM(visible_at > ?1 AND receipt IS NULL) AS delayed,
    SUM(visible_at > ?1 AND receipt IS NOT NULL) AS in_flight FROM messages WHERE queue = ?2`);
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const resume of waiting) resume();
  };

  function takeDue(queue: Queue, max: number): ReceivedMessage[] {
    const now = Date.now();
    const taken: ReceivedMessage[] = [];
    for (const row of due.all(queue.name, now, max)) {
      const receives = Number(row.receives) + 1;
      const id = String(row.id);
      if (queue.deadLetters && receives > queue.deadLetters.maxReceiveCount) {
        move.run(queue.deadLetters.queue, now, id);
        continue;
      }
      const receipt = randomUUID();
      const first = Number(row.first_received_at) || now;
      take.run(now + queue.visibilitySeconds * 1000, receives, receipt, first, id);
      taken.push({
        id,
        receipt,
        body: String(row.body),
        attributes: String(row.attributes),
        sent_at: Number(row.sent_at),
        receives,
        first_received_at: first,
      });
    }
    return taken;
  }

  /** Waits for a send, for the next message to become visible, for the deadline or for the signal. */
  async function change(queue: Queue, untilMs: number, signal: AbortSignal): Promise<void> {
    const at = next.get(queue.name)?.at;
    const dueMs = typeof at === 'number' ? Math.min(at, untilMs) : untilMs;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.max(1, dueMs - Date.now()));
    waiting.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    waiting.delete(resolve);
  }

  return {
    find: (nameOrUrl) => queues.get(nameOrUrl.split('/').at(-1) ?? ''),
    send(queue, body, attributes, delaySeconds, group = '') {
      const id = randomUUID();
      const now = Date.now();
      insert.run(id, queue.name, body, attributes, now, now + delaySeconds * 1000, group);
      wake();
      return id;
    },
    async receive(queue, max, waitMs, signal) {
      const untilMs = Date.now() + waitMs;
      while (!signal.aborted && db.isOpen) {
        const taken = takeDue(queue, max);
        if (taken.length > 0 || Date.now() >= untilMs) return taken;
        await change(queue, untilMs, signal);
      }
      return [];
    },
    remove: (queue, receipt) => removeRow.run(receipt, queue.name).changes > 0,
    figures() {
      const all = [...queues.keys()].map((name) => [name, tally.get(Date.now(), name)] as const);
      return Object.fromEntries(
        all.flatMap(([name, row]) =>
          ['ready', 'delayed', 'in_flight'].map((state) => [`${name}.${state}`, Number(row?.[state])]),
        ),
      );
    },
    close: () => {
      db.close();
      wake();
    },
  };
}

function declaredQueues(stack: Stack): Map<string, Queue> {
  const queues = new Map<string, Queue>();
  for (const { id, properties, attributes } of stack.ofType('AWS::SQS::Queue')) {
    if (properties.FifoQueue === true)
      throw new SetupError(`${id}: the local runtime does not know FIFO queues`);
    const redrive =
      typeof properties.RedrivePolicy === 'string'
        ? parseObject(properties.RedrivePolicy, id)
        : properties.RedrivePolicy;
    const name = attributes.QueueName ?? id;
    queues.set(name, {
      name,
      url: attributes.ref,
      arn: attributes.Arn ?? '',
      visibilitySeconds: numberAt(properties.VisibilityTimeout, 30, `${id}.VisibilityTimeout`),
      delaySeconds: numberAt(properties.DelaySeconds, 0, `${id}.DelaySeconds`),
      ...(isObject(redrive) ? { deadLetters: deadLetters(objectAt(redrive, id), id) } : {}),
    });
  }
  return queues;
}

function deadLetters(
  redrive: ReturnType<typeof objectAt>,
  id: string,
): { queue: string; maxReceiveCount: number } {
  const arn = optionalString(redrive.deadLetterTargetArn) ?? '';
  return {
    queue: arn.split(':').at(-1) ?? '',
    maxReceiveCount: numberAt(redrive.maxReceiveCount, 10, `${id}.RedrivePolicy`),
  };
}

/** The digest that SQS sends with a body; the SDK compares it. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
