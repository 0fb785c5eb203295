// Cursors: a reader's position in a run's log, as text that only this service can issue.
import { base64urlDecode, constantTimeEqual, hmacSha256 } from '#platform/crypto.ts';
import { serviceKey } from '#platform/service-keys.ts';

const SEQUENCE_BYTES = 4;
const MAC_BYTES = 16;

async function macOf(runId: string, sequence: Buffer): Promise<Buffer> {
  const key = await serviceKey('cursor');
  return hmacSha256(key, Buffer.concat([Buffer.from(`${runId}:`), sequence])).subarray(0, MAC_BYTES);
}

/** The cursor after event `sequence` of a run; 0 is before the first. */
export async function encodeCursor(runId: string, sequence: number): Promise<string> {
  const bytes = Buffer.alloc(SEQUENCE_BYTES);
  bytes.writeUInt32BE(sequence);
  return Buffer.concat([bytes, await macOf(runId, bytes)]).toString('base64url');
}

/** The sequence in a cursor; undefined for one that was not issued for this run (rules.md: paging 2). */
export async function decodeCursor(runId: string, cursor: string): Promise<number | undefined> {
  const bytes = base64urlDecode(cursor);
  if (bytes?.length !== SEQUENCE_BYTES + MAC_BYTES) return undefined;
  const sequence = bytes.subarray(0, SEQUENCE_BYTES);
  const genuine = constantTimeEqual(bytes.subarray(SEQUENCE_BYTES), await macOf(runId, sequence));
  return genuine ? sequence.readUInt32BE() : undefined;
}
