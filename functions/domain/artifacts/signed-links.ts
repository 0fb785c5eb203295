// Links to an artifact: signed, so that nothing is stored for one, and good for that artifact alone (rules.md: links).
import { fail } from '#contract/errors.ts';
import { ExportFormat } from '#contract/exports.ts';
import { type Caller, checkStanding } from '#domain/access/authenticate.ts';
import { whileActive } from '#domain/access/still-active.ts';
import { readClaims, signClaims } from '#platform/signed-claims.ts';
import { transact } from '#store/table/table.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';

export interface LinkTo {
  artifact_id: string;
  key_id: string;
  /** Epoch ms. */
  expires_at: number;
  format: ExportFormat | undefined;
  withMark: boolean;
}

/** A link that opens an artifact. */
export interface OpenLink {
  /** The workspace in which its bearer may read the artifact. */
  workspace_id: string;
  /** Tells it from other links to the artifact. */
  name: string;
  format: ExportFormat;
  withMark: boolean;
}

/** Ends the claims of a link to CSV with a byte order mark. */
const MARKED = 'bom';

/** The path of an artifact below the base address, with a query that replaces the key. */
export async function linkTo(to: LinkTo): Promise<string> {
  const { artifact_id, key_id, expires_at, format = 'json', withMark } = to;
  const claims = `${artifact_id}|${key_id}|${expires_at}|${format}${withMark ? `|${MARKED}` : ''}`;
  const link = await signClaims('artifact-link', claims);
  return `/artifacts/${artifact_id}?${new URLSearchParams({ link })}`;
}

/** Tells of a link before it is given away, because nothing is stored for it. Throws auth_invalid, auth_expired. */
export async function auditLink(caller: Caller, artifactId: string, by: Actor): Promise<void> {
  const entry = auditWrite(caller.workspace.workspace_id, by, 'artifact.link', artifactId);
  await whileActive(caller, (check) => transact([check, entry]));
}

/**
 * What the bearer of a link to the artifact may read. Throws artifact_not_found, whatever the reason is: a link says
 * nothing of what it does not open.
 */
export async function checkLink(token: string, artifactId: string | undefined): Promise<OpenLink> {
  const claims = (await readClaims('artifact-link', token)) ?? '';
  const [linked, keyId = '', expiresAt = '', signed, mark] = claims.split('|');
  const { data: format } = ExportFormat.safeParse(signed);
  if (!format || linked !== artifactId?.toLowerCase()) throw fail('artifact_not_found');
  if (Number(expiresAt) <= Date.now()) throw fail('artifact_not_found');
  const workspaceId = apiKeys.workspaceOfKey(keyId) ?? '';
  const [key, workspace] = await Promise.all([apiKeys.getById(keyId), workspaces.get(workspaceId)]);
  try {
    checkStanding(key, workspace);
  } catch {
    throw fail('artifact_not_found');
  }
  return { workspace_id: workspaceId, name: claims, format, withMark: mark === MARKED };
}
