// The items of a live source, as a run knows them (rules.md: sources 6).
import type { JsonObject } from '#contract/json.ts';
import type { SourceItem } from '#contract/live-sources.ts';
import { fingerprint, uuidFrom } from '#platform/crypto.ts';

export interface LiveItem {
  id: string;
  type: string;
  name: string;
  fields: JsonObject;
  external_uri?: string;
  external_id?: string;
}

interface Origin {
  workspace_id: string;
  name: string;
  entity_type: string;
}

/** The items in the order of the source; the first of those with one id. */
export function liveItems(source: Origin, found: readonly SourceItem[]): LiveItem[] {
  const items = new Map<string, LiveItem>();
  for (const one of found) {
    const id = idOf(source, one);
    if (!items.has(id)) items.set(id, toItem(id, source, one));
  }
  return [...items.values()];
}

function toItem(id: string, { entity_type }: Origin, item: SourceItem): LiveItem {
  const { id: external_id, type = entity_type, name, fields, external_uri } = item;
  return {
    id,
    type,
    name,
    fields,
    ...(external_uri !== undefined && { external_uri }),
    ...(external_id !== undefined && { external_id: String(external_id) }),
  };
}

/** The same item has the same id in every run of the workspace. */
function idOf({ workspace_id, name }: Origin, item: SourceItem): string {
  const { id, external_uri } = item;
  const identity =
    id !== undefined ? { id: String(id) } : external_uri !== undefined ? { external_uri } : { item };
  return uuidFrom(Buffer.from(fingerprint({ workspace_id, source: name, ...identity }), 'hex'));
}
