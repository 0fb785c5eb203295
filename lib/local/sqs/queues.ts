// Queues with delays, visibility timeouts and dead letters, and receivers that wait.
import { createHash } from 'node:crypto';
import { onceThereIsRoom } from '../files/sqlite-file.ts';
import { isObject, numberAt, objectAt, optionalString, parseObject } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import type { Stack } from '../template/template.ts';
import { openMessageStore, type Queue, type ReceivedMessage } from './message-store.ts';

/** All queues of the stack. Times are epoch ms. */
export interface Queues {
  find(nameOrUrl: string): Queue | undefined;
  /** Stores a message, optionally of a message group; returns its id. */
  send(queue: Queue, body: string, delaySeconds: number, group?: string): string;
  /**
   * Up to `max` messages, waiting up to `waitMs` for the first. Each stays hidden for the queue's visibility timeout.
   * As in a fair queue, groups with few messages in flight come first, then the oldest messages.
   */
  receive(queue: Queue, max: number, waitMs: number, signal: AbortSignal): Promise<ReceivedMessage[]>;
  /** Deletes a received message; false when the receipt is not from this queue. */
  remove(queue: Queue, receipt: string): boolean;
  /** Number of messages by state: `<queue>.ready`, `<queue>.delayed`, `<queue>.in_flight`. */
  figures(): Record<string, number>;
  close(): void;
}

/** Opens the file for the template's queues. Throws SetupError for a FIFO queue and for a damaged file. */
export function openQueues(stack: Stack, file: string): Queues {
  const queues = declaredQueues(stack);
  const messages = openMessageStore(file);
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const resume of waiting) resume();
  };

  /** Waits for a send, a message that becomes visible, the deadline or the signal. */
  async function change(queue: Queue, untilMs: number, signal: AbortSignal): Promise<void> {
    const dueMs = Math.min(messages.nextVisibleAt(queue) ?? untilMs, untilMs);
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
    send(queue, body, delaySeconds, group = '') {
      const id = messages.add(queue, body, delaySeconds, group);
      wake();
      return id;
    },
    async receive(queue, max, waitMs, signal) {
      const untilMs = Date.now() + waitMs;
      const isPolled = () => !signal.aborted && messages.isOpen();
      while (isPolled()) {
        const taken = (await onceThereIsRoom(() => messages.takeDue(queue, max), isPolled)) ?? [];
        if (taken.length > 0 || Date.now() >= untilMs) return taken;
        await change(queue, untilMs, signal);
      }
      return [];
    },
    remove: messages.remove,
    figures() {
      const states = [...queues.keys()].flatMap((name) =>
        Object.entries(messages.countsOf(name)).map(([state, count]) => [`${name}.${state}`, count] as const),
      );
      return Object.fromEntries(states);
    },
    close: () => {
      messages.close();
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

/** The digest that SQS returns for a body; the SDK verifies it. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
