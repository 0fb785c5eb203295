// The audit of a workspace: who did what that keys and administrators can do.
import * as z from 'zod';
import { EpochMs } from './json.ts';

/** One for each command that leaves an entry. */
export const AuditAction = z
  .enum([
    'key.create',
    'key.rotate',
    'key.revoke',
    'run.cancel',
    'run.resume',
    'run.rerun',
    'run.delete',
    'artifact.link',
    'entity.import',
    'entity.update',
    'entity.delete',
    'monitor.create',
    'monitor.update',
    'monitor.delete',
    'monitor.fire',
    'source.create',
    'source.update',
    'source.delete',
    'bridge.create',
    'bridge.update',
    'maintenance.start',
    'maintenance.end',
    'webhook.redeliver',
    'workspace.update',
  ])
  .meta({ id: 'AuditAction' });
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditEntry = z
  .strictObject({
    at: EpochMs,
    actor: z.string(),
    action: AuditAction,
    target: z.string(),
    count: z.number().int().positive().optional(),
    request_id: z.string(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(AuditEntry),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'AuditList' });
