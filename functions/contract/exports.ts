// Exports: the formats of an artifact, and signed links to it.
import * as z from 'zod';
import { EpochMs } from './json.ts';
import { limits } from './limits.ts';

/** The formats of an artifact, with their media types. */
export const exportFormats = {
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  csv: 'text/csv',
  md: 'text/markdown',
} as const;
export const ExportFormat = z
  .enum(Object.keys(exportFormats) as [ExportFormat, ...ExportFormat[]])
  .meta({ id: 'ExportFormat' });
export type ExportFormat = keyof typeof exportFormats;

/** The formats of each kind of artifact. */
export const formatsOf = {
  table: ['json', 'jsonl', 'csv', 'md'],
  text: ['json', 'md'],
  entity_card: ['json', 'md'],
} as const satisfies Record<string, readonly ExportFormat[]>;

/** Body of POST /artifacts/{id}/links. */
export const CreateArtifactLink = z
  .strictObject({
    expires_in_seconds: z
      .number()
      .int()
      .min(limits.artifact_link_min_seconds)
      .max(limits.artifact_link_max_seconds)
      .optional(),
    format: ExportFormat.optional(),
    bom: z
      .union([z.literal(0), z.literal(1)])
      .meta({ id: 'ByteOrderMark' })
      .optional(),
  })
  .meta({ id: 'CreateArtifactLink' });

export const ArtifactLink = z
  .strictObject({ url: z.string(), expires_at: EpochMs })
  .meta({ id: 'ArtifactLink' });
