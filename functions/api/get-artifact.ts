// GET /artifacts/{id}, with a key or by a signed link
import { Readable } from 'node:stream';
import { exportFormats } from '#contract/exports.ts';
import { exported } from '#domain/artifacts/export.ts';
import { asDownload } from '#domain/artifacts/file-name.ts';
import { acceptedFormat, formatFor } from '#domain/artifacts/formats.ts';
import { openArtifact } from '#domain/artifacts/open-artifact.ts';
import { artifactApi } from '#edge/api.ts';

export const handler = artifactApi('GetArtifact', async ({ request, params, query, workspace_id }) => {
  const artifact = await openArtifact(workspace_id, params.id);
  const { kind, title, close } = artifact;
  try {
    const format = query.format
      ? formatFor(kind, query.format)
      : acceptedFormat(kind, request.headers.accept);
    const { fields, offset, limit } = query;
    const stream = Readable.from(
      await exported(artifact, {
        ...{ format, fields, offset, limit },
        keepFormulas: query.formulas === 'keep',
        withLinks: query.include === 'links',
      }),
    ).once('close', close);
    return { status: 200, stream, headers: headersOf(format, asDownload(title, kind, format)) };
  } catch (error) {
    close();
    throw error;
  }
});

function headersOf(format: keyof typeof exportFormats, download: string): Record<string, string> {
  if (format === 'json') return {};
  return { 'Content-Type': `${exportFormats[format]}; charset=utf-8`, 'Content-Disposition': download };
}
