// Cursors of lists: the key of the last entry, with a MAC of the workspace and the list.
import { base64urlDecode, constantTimeEqual, hmacSha256 } from '#platform/crypto.ts';
import { serviceKey } from '#platform/service-keys.ts';
import { unknownPosition } from './unknown-position.ts';

const MAC_BYTES = 16;

/** A list of a workspace that is read in pages. */
export interface PagedList {
  workspace_id: string;
  name: 'runs' | 'audit' | 'deliveries' | 'monitors' | 'jobs' | `fires|${string}` | `calls|${string}`;
}

async function macOf({ workspace_id, name }: PagedList, key: string): Promise<Buffer> {
  return hmacSha256(await serviceKey('cursor'), `${workspace_id}|${name}|${key}`).subarray(0, MAC_BYTES);
}

/** The cursor after an entry of a list. */
export async function encodeCursor(list: PagedList, key: string): Promise<string> {
  return Buffer.concat([await macOf(list, key), Buffer.from(key)]).toString('base64url');
}

/** The key in a cursor. Throws schema_validation_failed (`cursor`) if it was not issued for the list. */
export async function decodeCursor(list: PagedList, cursor: string): Promise<string> {
  const bytes = base64urlDecode(cursor);
  const key = bytes?.subarray(MAC_BYTES).toString() ?? '';
  if (bytes && key !== '' && constantTimeEqual(bytes.subarray(0, MAC_BYTES), await macOf(list, key)))
    return key;
  throw unknownPosition('cursor', 'a cursor of this list', 'This cursor was not issued here');
}
