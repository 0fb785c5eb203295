// Inbound sync: the message of an external system, the bridge that maps it, the replies.
import * as z from 'zod';
import { isJsonObject, JsonObject, text, Uuid } from './json.ts';

const Name = text(1, 200);
/** Starts an entity's `external_uri`, so it has the form of a URI scheme. */
const ResourceType = text(1, 100).regex(
  /^[A-Za-z][A-Za-z0-9+._-]*$/,
  'Not letters, digits and + . _ -, a letter first',
);

export const SyncData = z
  .object({ type: Name, id: text(1, 500), attributes: JsonObject })
  .meta({ id: 'SyncData' });
export type SyncData = z.infer<typeof SyncData>;

/** Fields of records by the attributes that they copy. `z.record` would lose an attribute named `__proto__`. */
const FieldMap = z.custom<Record<string, string>>(
  (value) => isJsonObject(value) && Object.values(value).every((name) => Name.safeParse(name).success),
  'Not an object of names of fields',
);

/** Body of a sync message (rules.md: sync). */
export const SyncMessage = z
  .object({
    resource: z.object({ type: Name, id: text(1, 500) }).meta({ id: 'SyncResource' }),
    operation: z.enum(['create', 'update', 'delete']).meta({ id: 'SyncOperation' }),
    timestamp: z.string().optional(),
    data: SyncData.optional(),
    fetch_url: z.string().optional(),
    version: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).meta({ format: 'int64' }).optional(),
  })
  .meta({ id: 'SyncMessage' });
export type SyncMessage = z.infer<typeof SyncMessage>;

/** How a bridge maps one resource type into one workspace. */
export const BridgeResource = z.discriminatedUnion('kind', [
  z.strictObject({
    type: ResourceType,
    kind: z.literal('entity'),
    entity_type: text(1, 100),
    name_field: Name,
    field_map: FieldMap,
  }),
  z.strictObject({
    type: ResourceType,
    kind: z.literal('relationship'),
    relationshipTypeId: Uuid,
    fromField: Name,
    fromResourceType: ResourceType,
    toField: Name,
    toResourceType: ResourceType,
  }),
]);
export type BridgeResource = z.infer<typeof BridgeResource>;

/** A bridge as its file describes it (rules.md: admin 6). */
export const BridgeFile = z.strictObject({
  name: Name,
  workspaces: z
    .array(z.strictObject({ workspace_id: Uuid, resources: z.array(BridgeResource).min(1).max(100) }))
    .min(1)
    .max(100),
});
export type BridgeFile = z.infer<typeof BridgeFile>;

export const SyncReply = z
  .strictObject({ success: z.literal(true), processed_workspaces: z.number().int().nonnegative() })
  .meta({ id: 'SyncReply' });

export const syncErrors = {
  invalid_payload: 400,
  invalid_signature: 401,
  timestamp_expired: 401,
  bridge_not_found: 404,
  payload_too_large: 413,
  unknown_resource_type: 422,
  internal_error: 500,
  service_unavailable: 503,
} as const;
export type SyncErrorCode = keyof typeof syncErrors;

export const SyncError = z
  .strictObject({
    success: z.literal(false),
    error: z
      .enum(Object.keys(syncErrors) as [SyncErrorCode, ...SyncErrorCode[]])
      .meta({ id: 'SyncErrorCode' }),
    message: z.string(),
  })
  .meta({ id: 'SyncError' });
