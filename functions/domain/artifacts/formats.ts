// The format of an artifact for a reader (rules.md: exports 1).
import Negotiator from 'negotiator';
import type { ArtifactKind } from '#contract/artifacts.ts';
import { type ExportFormat, exportFormats, formatsOf } from '#contract/exports.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';

/** The format, if the kind has it. Throws schema_validation_failed for one that it does not have. */
export function formatFor(kind: ArtifactKind, asked: ExportFormat): ExportFormat {
  const known: readonly ExportFormat[] = formatsOf[kind];
  if (known.includes(asked)) return asked;
  const expected = known.map((format) => JSON.stringify(format)).join(' | ');
  throw wrongParam('format', expected, JSON.stringify(asked), `An artifact of kind ${kind} has no ${asked}`);
}

/** The format that an Accept header prefers; JSON where the kind does not have it. */
export function acceptedFormat(kind: ArtifactKind, accept: string | undefined): ExportFormat {
  const preferred = new Negotiator({ headers: { accept } }).mediaType(Object.values(exportFormats));
  return formatsOf[kind].find((format) => exportFormats[format] === preferred) ?? 'json';
}
