// Bodies and replies of the routes that write records (rules.md: entities 7 and later).
import * as z from 'zod';
import { Where } from './conditions.ts';
import { Entity, EntityLine, ExternalUri } from './entities.ts';
import { JsonObject, text, Uuid } from './json.ts';
import { limits } from './limits.ts';

const count = z.number().int().nonnegative();

/** Body of `POST /entities/import`. Each line is checked by itself: a wrong one is left out. */
export const ImportEntities = z
  .strictObject({
    records: z.array(EntityLine).min(1).max(limits.entities_written_max),
    update: z.boolean().optional(),
    dry_run: z.boolean().optional(),
  })
  .meta({ id: 'ImportEntities' });
export type ImportEntities = z.infer<typeof ImportEntities>;

/** A line that was left out. */
const LineError = z
  .strictObject({ index: count, message: z.string(), path: z.string() })
  .meta({ id: 'LineError' });
export type LineError = z.infer<typeof LineError>;

export const ImportedEntities = z
  .strictObject({
    imported: count,
    created: count,
    updated: count,
    unchanged: count,
    errors: z.array(LineError),
  })
  .meta({ id: 'ImportedEntities' });
export type ImportedEntities = z.infer<typeof ImportedEntities>;

/** Body of `PATCH /entities/{id}`: what it names changes. */
export const UpdateEntity = z
  .strictObject({
    name: Entity.shape.name.optional(),
    fields: JsonObject.optional(),
    external_uri: ExternalUri.nullable().optional(),
  })
  .meta({ id: 'UpdateEntity' });
export type UpdateEntity = z.infer<typeof UpdateEntity>;

/** Body of `POST /entities/delete`: all that is given must hold. */
export const DeleteEntities = z
  .strictObject({
    type: text(1, limits.entities_type_max_characters).optional(),
    where: Where.optional(),
    ids: z.array(Uuid).min(1).max(limits.entities_written_max).optional(),
  })
  .check(({ value, issues }) => {
    if (value.type === undefined && value.where === undefined && value.ids === undefined)
      issues.push({ code: 'custom', path: [], message: 'Send type, where or ids', input: value });
  })
  .meta({ id: 'DeleteEntities' });
export type DeleteEntities = z.infer<typeof DeleteEntities>;

export const DeletedEntities = z
  .strictObject({ deleted: count, has_more: z.boolean() })
  .meta({ id: 'DeletedEntities' });
export type DeletedEntities = z.infer<typeof DeletedEntities>;
