// The wheel of the Python client, as pip installs it: a zip with the modules and what they are called (PEP 427).
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { parse } from 'smol-toml';
import * as z from 'zod';

const Project = z.object({
  project: z.object({
    name: z.string(),
    description: z.string(),
    'requires-python': z.string(),
    classifiers: z.array(z.string()),
  }),
});

export interface Wheel {
  /** The folder of the Python client. */
  from: string;
  /** Where the wheel goes. */
  to: string;
  version: string;
  license: string;
  /** `@acme`: the distribution is `acme-run-service`. The modules keep their names. */
  scope: string | undefined;
}

/** No file is older: the same sources make the same bytes. */
const MADE_AT = new Date(1980, 0, 1);

/** Writes the wheel and returns its name. */
export function packWheel({ from, to, version, license, scope }: Wheel): string {
  const { project } = Project.parse(parse(readFileSync(join(from, 'pyproject.toml'), 'utf8')));
  const name = scope === undefined ? project.name : `${scope.slice(1)}-${project.name}`;
  // The name in files has no signs but the underscore.
  const distribution = `${name.replace(/[-_.]+/g, '_').toLowerCase()}-${version}`;
  const info = `${distribution}.dist-info`;
  const files = new Map<string, Buffer>();
  const source = join(from, 'src');
  for (const path of globSync('run_service/**/{*.py,*.json,py.typed}', { cwd: source }).toSorted())
    files.set(path.replaceAll('\\', '/'), readFileSync(join(source, path)));
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${project.description}`,
    `License: ${license}`,
    `Requires-Python: ${project['requires-python']}`,
    ...project.classifiers.map((one) => `Classifier: ${one}`),
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(join(from, 'README.md'), 'utf8'),
  ];
  files.set(`${info}/METADATA`, Buffer.from(metadata.join('\n')));
  const tags = [
    'Wheel-Version: 1.0',
    'Generator: run-service',
    'Root-Is-Purelib: true',
    'Tag: py3-none-any',
    '',
  ];
  files.set(`${info}/WHEEL`, Buffer.from(tags.join('\n')));
  const record = [...files].map(([path, content]) => `${path},sha256=${digestOf(content)},${content.length}`);
  files.set(`${info}/RECORD`, Buffer.from([...record, `${info}/RECORD,,`, ''].join('\n')));
  const entries: Zippable = Object.fromEntries(
    [...files].map(([path, content]) => [path, [content, { mtime: MADE_AT }]]),
  );
  const wheel = `${distribution}-py3-none-any.whl`;
  writeFileSync(join(to, wheel), zipSync(entries, { level: 9 }));
  return wheel;
}

const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('base64url');
