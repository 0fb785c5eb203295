// Live sources of a workspace: created, replaced, listed and deleted (rules.md: sources 1).
import { randomBytes } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import type { DescribedSource, SourceFile } from '#contract/live-sources.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireLivingWorkspace, requireWorkspace } from '#domain/workspaces/require-workspace.ts';
import { checkResolved, checkUrl } from '#outbound/foreign-url.ts';
import { seal } from '#platform/sealed.ts';
import type { SourceRecord } from '#store/workspaces/sources.ts';
import * as sources from '#store/workspaces/sources.ts';

/** A source as administrators see it: without its secret and headers. */
export type SourceReport = Omit<SourceRecord, 'sealed_secret' | 'sealed_headers'>;

/**
 * Creates a source. Only this reply contains the secret, which signs the calls. Throws AdminError
 * `workspace_not_found`, `invalid_arguments`, `source_exists`, `sources_exceeded`.
 */
export async function createSource(
  workspaceId: string,
  file: SourceFile,
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
  const outcome = await sources.create(source);
  if (outcome === 'exists')
    throw new AdminError('source_exists', `The workspace has a source ${name} already.`);
  if (outcome === 'full')
    throw new AdminError('sources_exceeded', `A workspace has at most ${limits.sources_max} sources.`);
  return { name, workspace_id, secret };
}

/** Replaces everything of a source but its name and secret. Throws AdminError. */
export async function updateSource(
  workspaceId: string,
  name: string,
  file: SourceFile,
): Promise<SourceReport> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  const before = await sources.get(workspace_id, name);
  if (!before) throw notFound(name);
  if (file.name !== name)
    throw new AdminError('invalid_arguments', `source.name: the source ${name} cannot be renamed`);
  await checkAddress(file);
  const { sealed_secret, created_at } = before;
  const source = { ...(await settingsOf(workspace_id, file)), sealed_secret, created_at };
  if (!(await sources.replace(source))) throw notFound(name);
  return reportOf(source);
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
): Promise<{ name: string; workspace_id: string; deleted: true }> {
  const { workspace_id } = await requireWorkspace(workspaceId);
  if (!(await sources.remove(workspace_id, name))) throw notFound(name);
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

async function settingsOf(
  workspace_id: string,
  { headers, ...file }: SourceFile,
): Promise<Omit<SourceRecord, 'sealed_secret' | 'created_at'>> {
  const owner = sources.ownerOf({ workspace_id, name: file.name });
  return { ...file, workspace_id, sealed_headers: await seal(JSON.stringify(headers), owner) };
}

/** Every call judges the address again. */
async function checkAddress({ url }: SourceFile): Promise<void> {
  const checked = checkUrl(url);
  const verdict = checked.ok ? await checkResolved(checked.url) : checked;
  if (!verdict.ok) throw new AdminError('invalid_arguments', `source.url: ${verdict.reason}`);
}

const notFound = (name: string) => new AdminError('source_not_found', `There is no source ${name}.`);
