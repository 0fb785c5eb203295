// A data folder says which release wrote it (rules.md: local 18).
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markRelease } from '../../lib/local/cli/release.ts';

function folder(mark?: string) {
  const path = mkdtempSync(join(tmpdir(), 'release-'));
  const file = join(path, 'release.json');
  if (mark !== undefined) writeFileSync(file, mark);
  return { path, read: () => readFileSync(file, 'utf8') };
}

test.each([undefined, '{"version":"1.9.0"}', '{"version":"0.10.1"}', '{"version":"1.10.0"}'])(
  'a release reads what an earlier one or itself wrote (%s), and says so',
  (mark) => {
    const { path, read } = folder(mark);
    markRelease(path, '1.10.0');
    expect(JSON.parse(read())).toEqual({ version: '1.10.0' });
  },
);

test.each(['1.10.1', '1.11.0', '2.0.0-beta.1'])(
  'a folder of the newer release %s is refused with both in one line, and stays',
  (version) => {
    const { path, read } = folder(JSON.stringify({ version }));
    expect(() => markRelease(path, '1.10.0')).toThrow(
      `${path} was written by release ${version}, and this is 1.10.0: start ${version} or a later one, or pass another --data-dir`,
    );
    expect(JSON.parse(read())).toEqual({ version });
  },
);

test.each(['', '{}', '{"version":"new"}', '[]'])(
  'a mark that names no release is refused in one line: %s',
  (mark) => {
    const { path } = folder(mark);
    expect(() => markRelease(path, '1.0.0')).toThrow(/^[^\n]*release\.json[^\n]*$/);
  },
);
