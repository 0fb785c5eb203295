// JSON in an environment variable. A function's variables share 4 KB, so it is compressed.
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The text of a value. */
export const packVariable = (value: unknown): string =>
  deflateRawSync(JSON.stringify(value)).toString('base64url');

/** The value of a text. Throws on any other text. */
export const unpackVariable = (text: string): unknown =>
  JSON.parse(inflateRawSync(Buffer.from(text, 'base64url')).toString());
