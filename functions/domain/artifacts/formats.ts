// The format of an artifact for a reader (rules.md: exports 1).
import type { ArtifactKind } from '#contract/artifacts.ts';
import { type ExportFormat, exportFormats, formatsOf } from '#contract/exports.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import { preferredType } from '#platform/preferred-type.ts';

/** The format, if the kind has it. Throws schema_validation_failed for one that it does not have. */
export function formatFor(kind: ArtifactKind, asked: ExportFormat): ExportFormat {
  const known: readonly ExportFormat[] = formatsOf[kind];
  if (known.includes(asked)) return asked;
  const expected = known.map((format) => JSON.stringify(format)).join(' | ');
  throw wrongParam('format', expected, JSON.stringify(asked), `An artifact of kind ${kind} has no ${asked}`);
}

/** Throws schema_validation_failed for a byte order mark of another format than CSV (rules.md: exports 7). */
export function checkMark(format: ExportFormat, bom: number | undefined): void {
  if (bom === undefined || format === 'csv') return;
  throw wrongParam('bom', 'the format "csv"', JSON.stringify(format), 'Only CSV has a byte order mark');
}

/** The format that an Accept header prefers; JSON where the kind does not have it. */
export function acceptedFormat(kind: ArtifactKind, accept: string | undefined): ExportFormat {
  const preferred = preferredType(accept, Object.values(exportFormats));
  return formatsOf[kind].find((format) => exportFormats[format] === preferred) ?? 'json';
}
