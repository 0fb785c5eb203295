// Cursors of lists of runs: the key of the last run, with a MAC of the workspace.
import { base64urlDecode, constantTimeEqual, hmacSha256 } from '#platform/crypto.ts';
import { serviceKey } from '#platform/service-keys.ts';
import { unknownPosition } from './unknown-position.ts';

const MAC_BYTES = 16;

async function macOf(workspaceId: string, key: string): Promise<Buffer> {
  return hmacSha256(await serviceKey('cursor'), `${workspaceId}|runs|${key}`).subarray(0, MAC_BYTES);
}

/** The cursor after a run of a list. */
export async function encodeCursor(workspaceId: string, key: string): Promise<string> {
  return Buffer.concat([await macOf(workspaceId, key), Buffer.from(key)]).toString('base64url');
}

/** The key in a cursor. Throws schema_validation_failed (`cursor`) if it was not issued to the workspace. */
export async function decodeCursor(workspaceId: string, cursor: string): Promise<string> {
  const bytes = base64urlDecode(cursor);
  const key = bytes?.subarray(MAC_BYTES).toString() ?? '';
  if (bytes && key !== '' && constantTimeEqual(bytes.subarray(0, MAC_BYTES), await macOf(workspaceId, key)))
    return key;
  throw unknownPosition('cursor', 'a cursor of this list', 'This cursor was not issued here');
}
