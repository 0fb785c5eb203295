// The types of a workspace's records and their fields (rules.md: entities 3).
import { nameOfPath } from '#contract/conditions.ts';
import type { EntityType } from '#contract/entities.ts';
import { limits } from '#contract/limits.ts';
import type { DescribedField, DescribedType } from '#contract/record-queries.ts';
import { openForRequest } from './records-client.ts';

/** The types, most records first. Throws upstream_timeout. */
export async function describeEntities(workspaceId: string): Promise<EntityType[]> {
  return fitReply(await openForRequest(workspaceId)('describe', { limit: limits.entity_types_max }));
}

/** The types with as many fields as the reply has room for. */
function fitReply(types: DescribedType[]): EntityType[] {
  let room = limits.entity_types_max_bytes;
  return types.map(({ type, count, fields }) => {
    const some: EntityType['fields'] = [];
    for (const field of fields.map(toField)) {
      room -= Buffer.byteLength(JSON.stringify(field));
      if (room < 0) break;
      some.push(field);
    }
    return { type, count, fields: some };
  });
}

function toField({ path, kinds, count, low, high, samples }: DescribedField): EntityType['fields'][number] {
  return {
    field: nameOfPath(path),
    kinds: kinds.map((kind) => (kind === 'text' ? 'string' : kind)),
    count,
    ...(low !== undefined && { min: low }),
    ...(high !== undefined && { max: high }),
    samples,
  };
}
