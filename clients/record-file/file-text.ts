// The text of a file: its encoding is found out, and what is no text is refused.
import { FileProblem } from './file-problem.ts';

/** A file that can be read again from the start. */
export interface OpenFile {
  name: string;
  bytes(): AsyncIterable<Uint8Array>;
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** What other programs write, by the first bytes. */
const formats: readonly (readonly [name: string, first: readonly number[], advice: string])[] = [
  ['a workbook or another zip file', [0x50, 0x4b, 0x03, 0x04], 'Save the sheet as CSV.'],
  ['an old Excel workbook', [0xd0, 0xcf, 0x11, 0xe0], 'Save the sheet as CSV.'],
  ['a PDF', [0x25, 0x50, 0x44, 0x46], 'Its text has to be taken out first.'],
  ['a gzip file', [0x1f, 0x8b], 'Unpack it first.'],
];

const SAMPLE_BYTES = 4096;

/** The encoding of the file. Throws FileProblem for what is no text, with its place. */
export async function encodingOf(file: OpenFile): Promise<Encoding> {
  const head = await firstBytes(file);
  for (const [name, first, advice] of formats)
    if (first.every((byte, i) => head[i] === byte)) throw new FileProblem(`${name} is no text. ${advice}`);
  const wide = wideEncoding(head);
  if (wide) return wide;
  return (await isUtf8(file)) ? 'utf-8' : 'windows-1252';
}

async function firstBytes(file: OpenFile): Promise<Uint8Array> {
  const head: number[] = [];
  for await (const chunk of file.bytes()) {
    head.push(...chunk.subarray(0, SAMPLE_BYTES - head.length));
    if (head.length >= SAMPLE_BYTES) break;
  }
  return Uint8Array.from(head);
}

/** By its mark; without one, a text that is mostly Latin has every second byte zero. */
function wideEncoding(head: Uint8Array): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 1].map((from) => head.filter((byte, i) => i % 2 === from && byte === 0).length);
  const half = head.length / 2;
  if (half < 2) return undefined;
  const [even = 0, odd = 0] = zeros.map((count) => count / half);
  if (odd > 0.4 && even < 0.1) return 'utf-16le';
  return even > 0.4 && odd < 0.1 ? 'utf-16be' : undefined;
}

async function isUtf8(file: OpenFile): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of file.bytes()) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The text in parts, without a byte order mark. */
export async function* textOf(file: OpenFile, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  let column = 1;
  for await (const text of decoded(file, decoder)) {
    const control = CONTROL.exec(text);
    const upTo = text.slice(0, control ? control.index : text.length);
    const lines = upTo.split('\n');
    column = (lines.length > 1 ? 1 : column) + (lines.at(-1) ?? '').length;
    line += lines.length - 1;
    if (control) {
      const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      throw new FileProblem(`the character U+${code} is no text. Save the file as text in UTF-8.`, {
        line,
        column,
      });
    }
    yield text;
  }
}

/** Control characters besides tab and the ends of lines; those of Windows-1252 that no program writes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/;

async function* decoded(file: OpenFile, decoder: InstanceType<typeof TextDecoder>): AsyncGenerator<string> {
  try {
    for await (const chunk of file.bytes()) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new FileProblem(`the file is not ${decoder.encoding} throughout.`);
    throw error;
  }
}
