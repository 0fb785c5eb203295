// The browser of the tests: `$CHROMIUM`, else the system's Chromium, else the one that `npm run tools` installs for Linux
// on x64 and elsewhere the system's Chrome or Edge.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

const PACKAGE = '@sparticuz/chromium';
const names = ['chromium', 'chromium-browser', 'google-chrome'];
/** Those of the package would switch off the rules of origins and of content, which the tests are about. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser, to which any number of processes connect. Throws when this machine has none. */
export async function launchBrowser(): Promise<BrowserServer> {
  const path = process.env.CHROMIUM ?? systemChromium();
  const options: LaunchOptions = path === undefined ? otherBrowser() : { executablePath: path };
  return chromium.launchServer({ ...options, args, host: '127.0.0.1' });
}

function systemChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

function otherBrowser(): LaunchOptions {
  if (process.platform === 'win32') return { channel: 'msedge' };
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  return isPackaged ? ofPackage() : { channel: 'chrome' };
}

/**
 * The browser of the package, with the libraries and the font that a bare machine lacks; unpacked once for an
 * installation.
 */
function ofPackage(): LaunchOptions {
  const folder = join(packageFolder(), 'unpacked');
  if (!existsSync(folder)) unpackInto(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: folder },
  };
}

function packageFolder(): string {
  try {
    const entry = createRequire(import.meta.url).resolve(PACKAGE);
    return entry.slice(0, entry.indexOf(PACKAGE) + PACKAGE.length);
  } catch {
    const remedy = `run \`npm run tools\`, which installs ${PACKAGE}, or name one in $CHROMIUM`;
    throw new Error(`The tests of the console need Chromium and found none: ${remedy}.`);
  }
}

/** Appears atomically, so that no process starts an incomplete browser. */
function unpackInto(folder: string): void {
  const made = mkdtempSync(`${folder}-`);
  // The package unpacks into the temporary folder of its process, and the libraries only where it thinks to be on
  // Lambda.
  const env = { ...process.env, TMPDIR: made, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  const program = `import('${PACKAGE}').then((module) => module.default.executablePath())`;
  execFileSync(process.execPath, ['-e', program], { cwd: packageFolder(), env, stdio: 'inherit' });
  const fonts = [join(folder, 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`).join('');
  writeFileSync(
    join(made, 'fonts.conf'),
    `<fontconfig>${fonts}<cachedir>${folder}/cache</cachedir></fontconfig>`,
  );
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
