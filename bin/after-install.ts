// What npm runs after an installation: removes the headers of the packaged Node, 67 MB that only native modules compile
// against.
import { globSync, rmSync } from 'node:fs';

for (const headers of globSync('node_modules/node/node_modules/*/include'))
  rmSync(headers, { recursive: true });
