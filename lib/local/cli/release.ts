// Which release wrote a data folder: a later one reads it, an earlier one refuses it (rules.md: local 18).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNewer, isRelease } from '../../../functions/contract/release-order.ts';
import { replaceFile } from '../files/replace-file.ts';
import { parseObject } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';

const MARK = 'release.json';

/** The release of the program in a folder. */
export function releaseIn(program: string): string {
  const file = join(program, 'package.json');
  const { version } = parseObject(readFileSync(file, 'utf8'), file);
  if (typeof version === 'string' && isRelease(version)) return version;
  throw new SetupError(`${file}: no version`);
}

/** Writes that this release uses the folder. Throws SetupError, and changes nothing, if a newer one has. */
export function markRelease(folder: string, release: string): void {
  const file = join(folder, MARK);
  const writer = existsSync(file) ? writerIn(file) : undefined;
  if (writer === release) return;
  if (writer !== undefined && isNewer(writer, release))
    throw new SetupError(
      `${folder} was written by release ${writer}, and this is ${release}: start ${writer} or a later one, or pass another --data-dir`,
    );
  replaceFile(file, `${JSON.stringify({ version: release })}\n`);
}

function writerIn(file: string): string {
  const { version } = parseObject(readFileSync(file, 'utf8'), file);
  if (typeof version === 'string' && isRelease(version)) return version;
  throw new SetupError(`${file} names no release: restore it, or pass another --data-dir`);
}
