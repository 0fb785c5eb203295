// GET /artifacts/{id}, with a key or by a signed link
import { Readable } from 'node:stream';
import { exportFormats } from '#contract/exports.ts';
import { limits } from '#contract/limits.ts';
import { exportArtifact } from '#domain/artifacts/export.ts';
import { asDownload } from '#domain/artifacts/file-name.ts';
import { acceptedFormat, checkMark, formatFor } from '#domain/artifacts/formats.ts';
import { countReader } from '#domain/artifacts/limit-link-readers.ts';
import { type OpenArtifact, openArtifact } from '#domain/artifacts/open-artifact.ts';
import { api, type Call } from '#edge/api.ts';
import { type ArtifactReader, byKeyOrLink } from '#edge/artifact-reader.ts';
import type { StreamedReply } from '#edge/replies.ts';

export const route = api('GetArtifact', byKeyOrLink, async (call) => {
  const { link, params, request, workspace_id } = call;
  // Readers with a key cost no write, and a refused reader of a link costs no look at the artifact.
  const ended = link && request.method !== 'HEAD' ? await countReader(link) : undefined;
  let artifact: OpenArtifact | undefined;
  try {
    artifact = await openArtifact(workspace_id, params.id);
    const sent = await replyOf(artifact, call);
    return { ...sent, ...(link && { idle_ms: limits.artifact_link_idle_ms, ended }) };
  } catch (error) {
    artifact?.close();
    await ended?.();
    throw error;
  }
});

type Asked = Pick<Call<'GetArtifact'> & ArtifactReader, 'request' | 'query' | 'link'>;

async function replyOf(artifact: OpenArtifact, { request, query, link }: Asked): Promise<StreamedReply<200>> {
  const { kind, title, close } = artifact;
  const { fields, offset, limit } = query;
  const asked = link?.format ?? query.format;
  const format = asked ? formatFor(kind, asked) : acceptedFormat(kind, request.headers.accept);
  const bom = query.bom === undefined ? undefined : Number(query.bom);
  checkMark(format, bom);
  const pieces = await exportArtifact(artifact, {
    ...{ format, fields, offset, limit },
    keepFormulas: query.formulas === 'keep',
    withMark: link?.withMark ?? bom === 1,
    withLinks: query.include === 'links',
  });
  const stream = Readable.from(pieces).once('close', close);
  return { status: 200, stream, headers: headersOf(format, asDownload(title, kind, format)) };
}

function headersOf(format: keyof typeof exportFormats, download: string): Record<string, string> {
  if (format === 'json') return {};
  return { 'Content-Type': `${exportFormats[format]}; charset=utf-8`, 'Content-Disposition': download };
}
