// The media type that an Accept header prefers.
import Negotiator from 'negotiator';

/** Parameters but the weight: `text/csv; charset=utf-8` asks for CSV, which there is in UTF-8 alone. */
const PARAMETERS = /;\s*(?!q\s*=)[^;,=\s]+\s*=\s*("[^"]*"|[^;,"]*)/gi;

/** The one of these types that the header prefers; undefined if it takes none of them. */
export function preferredType(accept: string | undefined, types: string[]): string | undefined {
  return new Negotiator({ headers: { accept: accept?.replace(PARAMETERS, '') } }).mediaType(types);
}
