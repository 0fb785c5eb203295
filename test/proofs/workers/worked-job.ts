// What a worker sends about a job, and what it was answered: by that a campaign judges what became of the job.
import type { AddJobItems, CompleteJob, FailJob, JobUsage, ProgressJob } from '#contract/jobs.ts';
import type { SourceItem } from '#contract/live-sources.ts';
import { type Acts, manners } from './manners.ts';

/** `refused`: it does not hold. `none`: no reply, or none that a client can use, so it may have been taken. */
type Answer = 'accepted' | 'not accepted' | 'over' | 'refused' | 'none';

export interface Message {
  /** In its items one each, or what it says: no other message has the same. */
  marks: string[];
  usage: JobUsage | undefined;
  answer: Answer;
  /** A try had no answer, so an answer that says no may be to its repetition. */
  is_doubted: boolean;
}

/** What a worker knows of a job. */
export interface WorkedJob {
  completes: Message[];
  fails: Message[];
  /** The pages that were sent, by their numbers. */
  pages: (Message & { page: number })[];
  /** The run has closed it. */
  is_canceled: boolean;
  /** The items that came with it. */
  asked: string | undefined;
}

/** A job of which its worker has just heard. */
export const newWorkedJob = (): WorkedJob => ({
  ...{ completes: [], fails: [], pages: [], is_canceled: false, asked: undefined },
});

/** A message as it is sent. */
export type Sent =
  | { verb: 'complete'; body: CompleteJob }
  | { verb: 'fail'; body: FailJob }
  | { verb: 'items'; body: AddJobItems }
  | { verb: 'progress'; body: ProgressJob };

/** How a worker works. */
export interface Working extends Pick<Acts, 'below' | 'sleep'> {
  /** A person answers with one object in place of items. */
  is_person?: boolean;
  /** A text that no other message has. */
  newMark(): string;
  /** Sends a message again until it is answered, and writes its answer down. */
  say(message: Message, sent: Sent): Promise<void>;
}

/** Items with one mark each. */
const itemsOf = (marks: string[]): SourceItem[] =>
  marks.map((mark) => ({ name: mark, fields: { mark }, ...absent }));
const absent = { id: undefined, type: undefined, external_uri: undefined };

/** The marks of the items that came for a job. */
export const marksOf = (items: readonly { fields: object }[]): string[] =>
  items.map(({ fields }) => String(Reflect.get(fields, 'mark')));

/** Works on a job in one of the manners. */
export async function worksOn(job: WorkedJob, manner: string, working: Working): Promise<void> {
  const { below, sleep, newMark, say, is_person = false } = working;
  const newMessage = (): Message => {
    const mark = newMark();
    const marks = Array.from({ length: is_person ? 1 : 1 + below(2) }, (_, i) => `${mark}.${i}`);
    const usage =
      below(2) === 0
        ? { cost_usd: (1 + below(9)) / 1000, input_tokens: below(9), output_tokens: 1 }
        : undefined;
    return { marks, usage, answer: 'none', is_doubted: true };
  };
  const sent = <Kind extends Message>(to: Kind[], message: Kind): Kind => {
    to.push(message);
    return message;
  };
  await manners[manner]?.({
    below,
    sleep,
    complete() {
      const message = sent(job.completes, newMessage());
      const { marks, usage } = message;
      return say(message, {
        verb: 'complete',
        body: {
          ...(is_person ? { answer: { mark: marks.join() } } : { items: itemsOf(marks) }),
          ...(usage && { usage }),
        },
      });
    },
    fail(retry) {
      const message = sent(job.fails, newMessage());
      const { marks, usage } = message;
      return say(message, { verb: 'fail', body: { message: marks.join(), retry, ...(usage && { usage }) } });
    },
    page(page) {
      const message = sent(job.pages, { ...newMessage(), usage: undefined, page });
      return say(message, { verb: 'items', body: { page, items: itemsOf(message.marks) } });
    },
    progress: () => say(newMessage(), { verb: 'progress', body: { items_done: 1, items_total: 2 } }),
    lie: () => say(newMessage(), { verb: 'complete', body: { answer: {} } }),
  });
}

/** Whether the marks are those of pages in the order of their numbers, each of one message and whole. */
export function arePages(marks: string[], pages: WorkedJob['pages']): boolean {
  const [first] = marks;
  if (first === undefined) return true;
  const page = pages.find((one) => one.marks[0] === first);
  if (!page || page.marks.join() !== marks.slice(0, page.marks.length).join()) return false;
  const later = pages.filter((one) => one.page > page.page);
  return arePages(marks.slice(page.marks.length), later);
}
