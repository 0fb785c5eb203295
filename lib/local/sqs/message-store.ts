// The messages of all queues in one SQLite file: what is due, who received it, and when the next one becomes visible.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { openSqliteFile } from '../files/sqlite-file.ts';

/** A queue of the template. */
export interface Queue {
  name: string;
  url: string;
  arn: string;
  visibilitySeconds: number;
  deadLetters?: { queue: string; maxReceiveCount: number };
}

/** A message delivered to one receiver. */
export interface ReceivedMessage {
  id: string;
  receipt: string;
  body: string;
  sent_at: number;
  receives: number;
  first_received_at: number;
}

/** The rows of all queues. Times are epoch ms. */
export interface MessageStore {
  /** Stores a message hidden for `delaySeconds`; returns its id. */
  add(queue: Queue, body: string, delaySeconds: number, group: string): string;
  /** Returns up to `max` due messages. Moves a message that was received too often to the dead-letter queue. */
  takeDue(queue: Queue, max: number): ReceivedMessage[];
  /** When the next message becomes visible; undefined for an empty queue. */
  nextVisibleAt(queue: Queue): number | undefined;
  /** Deletes a received message; false when the receipt is not from this queue. */
  remove(queue: Queue, receipt: string): boolean;
  /** Number of messages by state. */
  countsOf(queueName: string): Record<'ready' | 'delayed' | 'in_flight', number>;
  isOpen(): boolean;
  close(): void;
}

/** `attributes` is without use: files that were written earlier require it. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY, queue TEXT NOT NULL, body TEXT NOT NULL, attributes TEXT NOT NULL, sent_at INTEGER NOT NULL,
    visible_at INTEGER NOT NULL, receives INTEGER NOT NULL, receipt TEXT, first_received_at INTEGER NOT NULL,
    message_group TEXT NOT NULL DEFAULT '');
  CREATE INDEX IF NOT EXISTS due ON messages (queue, visible_at);
  CREATE INDEX IF NOT EXISTS by_receipt ON messages (receipt);`;

/** Opens the file. Throws SetupError for a damaged one. */
export function openMessageStore(file: string): MessageStore {
  const db = openSqliteFile(file, SCHEMA);
  const { insert, due, next, take, move, removeRow, tally } = prepareStatements(db);

  function takeDue(queue: Queue, max: number): ReceivedMessage[] {
    const now = Date.now();
    const taken: ReceivedMessage[] = [];
    for (const row of due.all({ queue: queue.name, now, limit: max })) {
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
        sent_at: Number(row.sent_at),
        receives,
        first_received_at: first,
      });
    }
    return taken;
  }

  return {
    add(queue, body, delaySeconds, group) {
      const id = randomUUID();
      const now = Date.now();
      insert.run(id, queue.name, body, now, now + delaySeconds * 1000, group);
      return id;
    },
    takeDue,
    nextVisibleAt(queue) {
      const at = next.get(queue.name)?.at;
      return typeof at === 'number' ? at : undefined;
    },
    remove: (queue, receipt) => removeRow.run(receipt, queue.name).changes > 0,
    countsOf(queueName) {
      const row = tally.get({ now: Date.now(), queue: queueName });
      return { ready: Number(row?.ready), delayed: Number(row?.delayed), in_flight: Number(row?.in_flight) };
    },
    isOpen: () => db.isOpen,
    close: () => db.close(),
  };
}

function prepareStatements(db: DatabaseSync) {
  const insert = db.prepare("INSERT INTO messages VALUES (?, ?, ?, '{}', ?, ?, 0, NULL, 0, ?)");
  const due = db.prepare(`
    WITH busy AS (SELECT message_group, COUNT(*) AS in_flight FROM messages
      WHERE queue = $queue AND visible_at > $now AND receipt IS NOT NULL AND message_group <> '' GROUP BY message_group)
    SELECT messages.* FROM messages LEFT JOIN busy USING (message_group) WHERE queue = $queue AND visible_at <= $now
    ORDER BY COALESCE(in_flight, 0), visible_at LIMIT $limit`);
  const next = db.prepare('SELECT MIN(visible_at) AS at FROM messages WHERE queue = ?');
  const take = db.prepare(
    'UPDATE messages SET visible_at = ?, receives = ?, receipt = ?, first_received_at = ? WHERE id = ?',
  );
  const move = db.prepare(
    'UPDATE messages SET queue = ?, visible_at = ?, receives = 0, receipt = NULL WHERE id = ?',
  );
  const removeRow = db.prepare('DELETE FROM messages WHERE receipt = ? AND queue = ?');
  const tally =
    db.prepare(`SELECT SUM(visible_at <= $now) AS ready, SUM(visible_at > $now AND receipt IS NULL) AS delayed,
    SUM(visible_at > $now AND receipt IS NOT NULL) AS in_flight FROM messages WHERE queue = $queue`);
  return { insert, due, next, take, move, removeRow, tally };
}
