// Monitors: runs that are made again by the clock or on a change, and their fires (rules.md: monitors).
import * as z from 'zod';
import { Where } from './conditions.ts';
import { errorCodes } from './errors.ts';
import { EpochMs, text, Uuid } from './json.ts';
import { limits } from './limits.ts';
import { Plan } from './plans.ts';
import { CreateRun } from './runs.ts';

/** The key of the metadata by which the runs of a monitor are found. */
export const MONITOR_PAIR = 'monitor_id';

/** Cron and zone are read by the domain: their schema would bring a library into every function. */
export const ScheduleTrigger = z
  .strictObject({
    cron: text(1, limits.monitor_cron_max_characters),
    timezone: text(1, limits.monitor_timezone_max_characters).optional(),
  })
  .meta({ id: 'ScheduleTrigger' });

const RecordChange = z
  .strictObject({
    types: z.array(text(1, limits.entities_type_max_characters)).min(1).max(limits.monitor_types_max),
    where: Where.optional(),
    settle_seconds: z.number().int().min(1).max(limits.monitor_seconds_max).optional(),
  })
  .meta({ id: 'RecordChange' });
export type RecordChange = z.infer<typeof RecordChange>;

export const ChangeTrigger = z.strictObject({ change: RecordChange }).meta({ id: 'ChangeTrigger' });

/** What makes a monitor fire. */
export const Trigger = z.union([ScheduleTrigger, ChangeTrigger]).meta({ id: 'Trigger' });
export type Trigger = z.infer<typeof Trigger>;

export const Overlap = z.enum(['skip', 'queue', 'replace']).meta({ id: 'Overlap' });
export const Notify = z.enum(['every', 'changed']).meta({ id: 'Notify' });
export const MonitorStatus = z.enum(['active', 'paused']).meta({ id: 'MonitorStatus' });

const optional = {
  overlap: Overlap.optional(),
  catch_up_seconds: z.number().int().min(0).max(limits.monitor_seconds_max).optional(),
  notify: Notify.optional(),
};
const name = text(1, limits.monitor_name_max_characters);

/** Body of `POST /monitors`. */
export const CreateMonitor = z
  .strictObject({ name, run: CreateRun, on: Trigger, ...optional })
  .meta({ id: 'CreateMonitor' });

/** Body of `PATCH /monitors/{id}`: what it names changes. */
export const UpdateMonitor = z
  .strictObject({
    name: name.optional(),
    status: MonitorStatus.optional(),
    run: CreateRun.optional(),
    on: Trigger.optional(),
    ...optional,
  })
  .meta({ id: 'UpdateMonitor' });

export const FireCause = z.enum(['schedule', 'change', 'request']).meta({ id: 'FireCause' });
const FireOutcome = z.enum(['run', 'queued', 'skipped', 'refused']).meta({ id: 'FireOutcome' });
const FireReason = z.enum(['overlap', 'missed', 'paused', ...errorCodes]).meta({ id: 'FireReason' });

const count = z.number().int().nonnegative();
export const ChangeCounts = z
  .strictObject({ added: count, removed: count, changed: count })
  .meta({ id: 'ChangeCounts' });
export type ChangeCounts = z.infer<typeof ChangeCounts>;

/** What became of a due time, a change or a request (rules.md: monitors 4). */
export const Fire = z
  .strictObject({
    id: Uuid,
    due_at: EpochMs,
    fired_at: EpochMs,
    cause: FireCause,
    outcome: FireOutcome,
    run_id: Uuid.optional(),
    reason: FireReason.optional(),
    until: EpochMs.optional(),
    count: count.optional(),
    changes: ChangeCounts.optional(),
  })
  .meta({ id: 'Fire' });
export type Fire = z.infer<typeof Fire>;

export const Monitor = z
  .strictObject({
    id: Uuid,
    object: z.literal('monitor'),
    name: z.string(),
    status: MonitorStatus,
    key_id: z.string(),
    run: CreateRun,
    plan: Plan.nullable().meta({ id: 'MonitorPlan' }).optional(),
    on: Trigger,
    overlap: Overlap,
    catch_up_seconds: count,
    notify: Notify,
    created_at: EpochMs,
    next_fire_at: EpochMs.nullable(),
    last_fire: Fire.nullable().meta({ id: 'LastFire' }),
  })
  .meta({ id: 'Monitor' });
export type Monitor = z.infer<typeof Monitor>;

/** A monitor in a list, without the body and the plan of its runs. */
export const ListedMonitor = Monitor.omit({ run: true, plan: true }).meta({ id: 'ListedMonitor' });
export type ListedMonitor = z.infer<typeof ListedMonitor>;

const page = { next_cursor: z.string().nullable(), has_more: z.boolean() };
export const MonitorList = z
  .strictObject({ object: z.literal('list'), data: z.array(ListedMonitor), ...page })
  .meta({ id: 'MonitorList' });
export const FireList = z
  .strictObject({ object: z.literal('list'), data: z.array(Fire), ...page })
  .meta({ id: 'FireList' });
