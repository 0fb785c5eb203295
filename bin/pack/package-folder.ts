// A package on its way into a tarball: a folder with its files and a manifest for those who install it.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** The fields of a manifest that are read. */
const Manifest = z.looseObject({ name: z.string(), files: z.array(z.string()) });
const Project = z.object({ version: z.string(), license: z.string() });

export interface PackageFolder {
  /** The folder of the package in the repository, built. */
  from: string;
  to: string;
  /** The repository's folder. */
  root: string;
  scope: string | undefined;
}

/** The version and the licence of the project. */
export const projectIn = (root: string) => Project.parse(readJson(join(root, 'package.json')));

/** Fields that only the repository uses. */
const LEFT_OUT = ['scripts', 'devDependencies', 'private'];

/** Copies what the manifest names, under the name in the scope and with the version and the licence of the project. */
export function copyPackage({ from, to, root, scope }: PackageFolder): void {
  mkdirSync(to);
  const manifest = Manifest.parse(readJson(join(from, 'package.json')));
  const { version, license } = projectIn(root);
  const name = scope === undefined ? manifest.name : `${scope}/${manifest.name}`;
  for (const file of globSync(manifest.files, { cwd: from }))
    cpSync(join(from, file), join(to, file), { recursive: true });
  const readme = readFileSync(join(from, 'README.md'), 'utf8');
  writeFileSync(join(to, 'README.md'), readme.replaceAll(`'${manifest.name}'`, `'${name}'`));
  const licence = join(root, 'LICENSE');
  if (existsSync(licence)) cpSync(licence, join(to, 'LICENSE'));
  const rest = Object.entries(manifest).filter(([field]) => !LEFT_OUT.includes(field));
  const packed = { ...Object.fromEntries(rest), name, version, license };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
