// Live sources of a workspace: created, replaced, listed and deleted (rules.md: sources 1).
import { randomBytes } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import type { DescribedSource, SourceFile } from '#contract/live-sources.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireLivingWorkspace, requireWorkspace } from '#domain/workspaces/require-workspace.ts';
import { checkResolved, checkUrl } from '#outbound/foreign-url.ts';
import { fingerprint } from '#platform/crypto.ts';
import { seal, unseal } from '#platform/sealed.ts';
import { type Actor, auditWrite } from '#store/workspaces/audit.ts';
import type { SourceRecord } from '#store/workspaces/sources.ts';
import * as sources from '#store/workspaces/sources.ts';

/** A source as administrators see it: without its secret and headers. */
export type SourceReport = WithoutSecrets<SourceRecord>;
type WithoutSecrets<S> = S extends SourceRecord ? Omit<S, 'sealed_secret' | 'sealed_headers'> : never;

/**
 * Creates a source. Only this reply contains the secret, which signs the calls. Throws AdminError
 * `workspace_not_found`, `invalid_arguments`, `source_exists`, `sources_exceeded`.
 */
export async function createSource(
  workspaceId: string,
  file: SourceFile,
  by: Actor,
): Promise<{ name: string; workspace_id: string; secret: string }> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  await checkAddress(file);
  const secret = `src_${randomBytes(24).toString('hex')}`;
  const { name } = file;
  const source = {
    ...(await settingsOf(workspace_id, file)),
    sealed_secret: await seal(secret, sources.ownerOf({ workspace_id, name })),
    created_at: Date.now(),
  };
  const outcome = await sources.create(source, [auditWrite(workspace_id, by, 'source.create', name)]);
  if (outcome === 'exists')
    throw new AdminError('source_exists', `The workspace has a source ${name} already.`);
  if (outcome === 'full')
    throw new AdminError('sources_exceeded', `A workspace has at most ${limits.sources_max} sources.`);
  return { name, workspace_id, secret };
}

/** Replaces everything of a source but its name and secret. What changes nothing leaves no trace. Throws AdminError. */
export async function updateSource(
  workspaceId: string,
  name: string,
  file: SourceFile,
  by: Actor,
): Promise<SourceReport> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  const before = await sources.get(workspace_id, name);
  if (!before) throw notFound(name);
  if (file.name !== name)
    throw new AdminError('invalid_arguments', `source.name: the source ${name} cannot be renamed`);
  await checkAddress(file);
  if (await isAsBefore(before, file)) return reportOf(before);
  const { sealed_secret, created_at } = before;
  const source = { ...(await settingsOf(workspace_id, file)), sealed_secret, created_at };
  if (!(await sources.replace(source, [auditWrite(workspace_id, by, 'source.update', name)])))
    throw notFound(name);
  return reportOf(source);
}

async function isAsBefore(before: SourceRecord, file: SourceFile): Promise<boolean> {
  const { workspace_id: _, created_at: __, ...settings } = reportOf(before);
  const headers: unknown = JSON.parse(await unseal(before.sealed_headers, sources.ownerOf(before)));
  return fingerprint({ ...settings, headers }) === fingerprint(described(file));
}

/** The sources of a workspace, by name. Throws AdminError `workspace_not_found`. */
export async function listSources(workspaceId: string): Promise<{ sources: SourceReport[] }> {
  const { workspace_id } = await requireWorkspace(workspaceId);
  return { sources: (await sources.list(workspace_id)).map(reportOf) };
}

/** Deletes a source: from then on its name is unknown. Throws AdminError `source_not_found`. */
export async function deleteSource(
  workspaceId: string,
  name: string,
  by: Actor,
): Promise<{ name: string; workspace_id: string; deleted: true }> {
  const { workspace_id } = await requireWorkspace(workspaceId);
  if (!(await sources.remove(workspace_id, name, [auditWrite(workspace_id, by, 'source.delete', name)])))
    throw notFound(name);
  return { name, workspace_id, deleted: true };
}

/** What the callers of a workspace may know of its sources, by name. */
export async function describeSources(workspaceId: string): Promise<DescribedSource[]> {
  const all = await sources.list(workspaceId);
  return all.map(({ name, kind, description, entity_type, fields }) => ({
    name,
    kind,
    description,
    entity_type,
    fields,
  }));
}

function reportOf({ sealed_secret: _, sealed_headers: __, ...report }: SourceRecord): SourceReport {
  return report;
}

/** A person has no fields and headers, and is described by the title of the question. */
const described = (file: SourceFile) =>
  file.kind === 'person' ? { ...file, description: file.title, fields: [], headers: {} } : file;

async function settingsOf(workspace_id: string, file: SourceFile) {
  const { headers, ...settings } = described(file);
  const owner = sources.ownerOf({ workspace_id, name: file.name });
  return { ...settings, workspace_id, sealed_headers: await seal(JSON.stringify(headers), owner) };
}

/** Every call judges the address again. */
async function checkAddress(file: SourceFile): Promise<void> {
  const [field, url] = file.kind === 'person' ? ['notify_url', file.notify_url] : ['url', file.url];
  if (url === undefined) return;
  const checked = checkUrl(url);
  const verdict = checked.ok ? await checkResolved(checked.url) : checked;
  if (!verdict.ok) throw new AdminError('invalid_arguments', `source.${field}: ${verdict.reason}`);
}

const notFound = (name: string) => new AdminError('source_not_found', `There is no source ${name}.`);
