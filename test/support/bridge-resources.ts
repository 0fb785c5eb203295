// The resources of test bridges: companies, persons, and employments.
import type { BridgeFile } from '../../functions/contract/sync.ts';

/** Resources of a bridge; employments become relationships of this type. */
export function bridgeResources(relationshipTypeId: string): BridgeFile['workspaces'][number]['resources'] {
  return [
    {
      type: 'company',
      kind: 'entity',
      entity_type: 'company',
      name_field: 'name',
      field_map: { name: 'name', hq: 'city' },
    },
    {
      type: 'person',
      kind: 'entity',
      entity_type: 'person',
      name_field: 'full_name',
      field_map: { full_name: 'name' },
    },
    {
      type: 'employment',
      kind: 'relationship',
      relationshipTypeId,
      fromField: 'person_id',
      fromResourceType: 'person',
      toField: 'company_id',
      toResourceType: 'company',
    },
  ];
}
