// The parts of Markdown that its parser leaves to us: record links and character references.
import { parseRecordLinks, type RecordLink } from '../../sdk/index.ts';

/** The record link, when the text is nothing else. */
export function onlyRecordLink(raw: string): RecordLink | undefined {
  const [link, ...more] = parseRecordLinks(raw);
  return typeof link === 'object' && more.length === 0 ? link : undefined;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};
const REFERENCE = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g;

/** A text with character references decoded; unknown ones stay unchanged. */
export function plainText(text: string): string {
  return text.replace(
    REFERENCE,
    (_, name: string | undefined, decimal: string | undefined, hex: string | undefined) =>
      name === undefined
        ? character(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
        : (NAMED[name] ?? ''),
  );
}

const character = (code: number) => (code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
