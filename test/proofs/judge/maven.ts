// Java packages, fetched by Maven once and pinned, so that a verdict is the service's.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface MavenPackage {
  group: string;
  artifact: string;
  version: string;
}

const projectFor = ({
  group,
  artifact,
  version,
}: MavenPackage) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>judge</groupId>
  <artifactId>judge</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>${group}</groupId>
      <artifactId>${artifact}</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`;

const folderOf = ({ artifact, version }: MavenPackage) =>
  fileURLToPath(
    new URL(`../../../node_modules/.cache/${artifact.toLowerCase()}-${version}`, import.meta.url),
  );

/** The folder of the package's libraries; undefined if it was never fetched here. */
export function presentLibraries(wanted: MavenPackage): string | undefined {
  const libraries = join(folderOf(wanted), 'libraries');
  return existsSync(libraries) ? libraries : undefined;
}

/** The folder of the package's libraries. Throws when Maven is missing or does not get them. */
export function fetchedLibraries(wanted: MavenPackage): string {
  const present = presentLibraries(wanted);
  if (present) return present;
  const folder = folderOf(wanted);
  const libraries = join(folder, 'libraries');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'pom.xml'), projectFor(wanted));
  try {
    execFileSync(
      'mvn',
      ['--quiet', '--batch-mode', 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`],
      { cwd: folder, stdio: ['ignore', 2, 2] },
    );
  } catch (error) {
    // Half a set of libraries must not be taken for all of them.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return libraries;
}

/** The first of these programs that does not start; undefined if all do. */
export function missingProgram(...programs: ('java' | 'mvn')[]): string | undefined {
  return programs.find((program) => {
    try {
      execFileSync(program, ['-version'], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
}
