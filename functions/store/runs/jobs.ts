// Jobs of runs: what was asked of a worker or a person, and what came of it. The status of a job changes only in a
// commit of its run, which takes the write as an effect; heartbeats and pages change the job alone, while it is open.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Where } from '#contract/conditions.ts';
import { JobItem, JobKind, JobStatus, type OverStatus } from '#contract/jobs.ts';
import type { JobKey, RunKey } from '#contract/run-keys.ts';
import { SentSchema } from '#contract/sent-schema.ts';
import { newId } from '#platform/ids.ts';
import { runObject } from '../table/object-keys.ts';
import { Packed, pack, unpack } from '../table/packed.ts';
import {
  getItem,
  getItems,
  type Item,
  queryAll,
  table,
  tableName,
  takesEffect,
  type Write,
} from '../table/table.ts';
import { jobLists, jobOfKey, keys } from '../table/table-keys.ts';

/** What is asked of a worker or a person. */
export const Asked = z.object({
  title: z.string(),
  instructions: z.string(),
  query: z.string(),
  where: Where.optional(),
  limit: z.number(),
  /** Items of earlier steps. */
  items: z.array(JobItem),
  /** Of the answer of a person. */
  schema: SentSchema.optional(),
});
export type Asked = z.infer<typeof Asked>;

const Fields = z.object({
  kind: JobKind,
  source: z.string(),
  entity_type: z.string(),
  step_index: z.number(),
  status: JobStatus,
  created_at: z.number(),
  /** The same for all attempts: it counts from the first one. */
  deadline_at: z.number(),
  /** How many attempts there are at most. */
  attempts: z.number(),
  heartbeat_seconds: z.number().optional(),
  /** When its message is to be sent, and when it was taken; without an address, when it would be sent. */
  tell_at: z.number(),
  sent_at: z.number().optional(),
  /** The last message that was taken; a heartbeat counts from then on, or from when the worker took the job. */
  beat_at: z.number().optional(),
  /** The last message that became an event, and the numbers that the worker last gave. */
  progress_at: z.number().optional(),
  items_done: z.number().optional(),
  items_total: z.number().optional(),
  /** How many items each page brought, by its number, and their sum. */
  pages: z.record(z.string(), z.number()),
  received: z.number(),
  completed_at: z.number().optional(),
  message: z.string().optional(),
  /** How many items came in all. */
  items: z.number().optional(),
  cost_pico_usd: z.string().optional(),
  asked: Packed,
  expires_at_seconds: z.number().optional(),
});

const keyOf = (job: JobKey) => keys.job(job.workspace_id, job.run_id, job);

export type JobRecord = JobKey & z.infer<typeof Fields>;

function jobOf(item: Item): JobRecord {
  return { ...Fields.parse(item), ...jobOfKey({ pk: String(item.pk), sk: String(item.sk) }) };
}

/** A job before it is written. */
export type NewJob = JobKey &
  Pick<
    JobRecord,
    | 'kind'
    | 'source'
    | 'entity_type'
    | 'step_index'
    | 'created_at'
    | 'deadline_at'
    | 'attempts'
    | 'heartbeat_seconds'
    | 'tell_at'
    | 'asked'
  >;

/** Each change of a job is paid for by its size: larger ones than this cost less in the bucket. */
const ASKED_MAX_BYTES = 2048;

/** The stored form of what is asked of the jobs of a step: all attempts share it. */
export function packAsked({ workspace_id, run_id }: RunKey, asked: Asked): Promise<Packed> {
  return pack(asked, runObject(workspace_id, run_id, `job-${newId()}`), ASKED_MAX_BYTES);
}

export const openAsked = ({ asked }: Pick<JobRecord, 'asked'>): Promise<Asked> =>
  unpack(asked, (value) => Asked.parse(value));

/** Write of a new open job; part of the commit by which its run waits for it. */
export function newJobWrite(job: NewJob): Write {
  const { workspace_id, run_id: _, position: __, resume: ___, attempt: ____, ...fields } = job;
  const listed = { due_pk: jobLists.open(workspace_id), due_at: job.created_at };
  return {
    Put: {
      TableName: tableName(),
      Item: { ...keyOf(job), ...fields, ...listed, status: 'open', pages: {}, received: 0 },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** How a job ended. */
export interface JobEnd {
  status: OverStatus;
  completed_at: number;
  message?: string | undefined;
  items?: number | undefined;
  cost_pico_usd?: string | undefined;
}

/** What messages change of an open job: the items that came, and the last heartbeat. */
export type ByMessages = 'received' | 'beat_at';

/**
 * Write that ends an open job; part of a commit of its run. Its condition fails if what is `unchanged` has changed
 * since the job was read.
 */
export function overWrite(
  job: JobKey & Partial<Pick<JobRecord, ByMessages>>,
  end: JobEnd,
  unchanged?: ByMessages,
): Write {
  const given = Object.entries(end).filter(([, value]) => value !== undefined);
  const seen = unchanged && job[unchanged];
  const asSeen = seen === undefined ? `attribute_not_exists(${unchanged})` : `${unchanged} = :${unchanged}`;
  return {
    Update: {
      TableName: tableName(),
      Key: keyOf(job),
      UpdateExpression: `SET ${given.map(([name]) => `#${name} = :${name}`).join(', ')}, due_pk = :over`,
      ConditionExpression: `#status = :open${unchanged ? ` AND ${asSeen}` : ''}`,
      ExpressionAttributeNames: Object.fromEntries([
        ['#status', 'status'],
        ...given.map(([name]) => [`#${name}`, name]),
      ]),
      ExpressionAttributeValues: {
        ':open': 'open',
        ':over': jobLists.over(job.workspace_id),
        ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
        ...(seen !== undefined && { [`:${unchanged}`]: seen }),
      },
    },
  };
}

/** The numbers that a worker gives of its progress. */
export type Counts = Pick<JobRecord, 'items_done' | 'items_total'>;

/** The update of an open job; its condition fails if the job is over. */
function openUpdate(
  job: JobKey,
  values: Counts & Partial<Record<'sent_at' | 'beat_at' | 'progress_at', number>>,
) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    TableName: tableName(),
    Key: keyOf(job),
    UpdateExpression: `SET ${given.map(([name]) => `${name} = :${name}`).join(', ')}`,
    ConditionExpression: '#status = :open',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':open': 'open',
      ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
    },
  };
}

const set = (...update: Parameters<typeof openUpdate>) =>
  takesEffect(table.send(new UpdateCommand(openUpdate(...update))));

/** Records that the worker took the job; false if the job is over. */
export const markSent = (job: JobKey, now: number): Promise<boolean> => set(job, { sent_at: now });

/** Records a heartbeat, and the numbers that came with it; false if the job is over. */
export const beat = (job: JobKey, now: number, counts?: Counts): Promise<boolean> =>
  set(job, { beat_at: now, ...counts });

/** Write of a heartbeat that becomes an event; part of the commit with that event. */
export const progressWrite = (job: JobKey, now: number, counts: Counts): Write => ({
  Update: openUpdate(job, { beat_at: now, progress_at: now, ...counts }),
});

/** The job of a key, as last written. */
export async function get(key: JobKey): Promise<JobRecord | undefined> {
  const item = await getItem(keyOf(key));
  return item && jobOf(item);
}

/** The jobs that exist among the keys, in their order. */
export async function getMany(wanted: JobKey[]): Promise<JobRecord[]> {
  const items = await getItems(wanted.map(keyOf));
  const found = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  return wanted.map(keyOf).flatMap(({ pk, sk }) => {
    const item = found.get(`${pk} ${sk}`);
    return item ? [jobOf(item)] : [];
  });
}

/** The jobs of a run, or of one of its steps, oldest first. */
export async function list({ workspace_id, run_id }: RunKey, position?: number): Promise<JobRecord[]> {
  const prefix = position === undefined ? keys.jobs : keys.jobsOf(position);
  return (await queryAll(keys.runPartition(workspace_id, run_id), prefix)).map(jobOf);
}
