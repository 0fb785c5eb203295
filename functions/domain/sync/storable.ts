// Checks that a mapped record can be stored.
import type * as z from 'zod';
import { whyNotStorable } from '#domain/records/storable-fields.ts';
import { SyncError } from './sync-error.ts';

/** The record that a message maps to; `own` are its fields or metadata. Throws SyncError when it cannot be stored. */
export function storable<T>(schema: z.ZodType<T>, record: object, own: unknown): T {
  const fault = whyNotStorable(own);
  if (fault) throw new SyncError('invalid_payload', `The attributes cannot be stored: ${fault}.`);
  const checked = schema.safeParse(record);
  if (checked.success) return checked.data;
  const field = checked.error.issues[0]?.path.join('.');
  throw new SyncError('invalid_payload', `This resource cannot become a record: its ${field} is invalid.`);
}
