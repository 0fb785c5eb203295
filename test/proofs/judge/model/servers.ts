// The servers of the judge, on loopback: a chat model on llama-cpp-python, an embedding model, and a proxy that writes
// down what the first two report.
import { fileURLToPath } from 'node:url';
import { type LocalServer, startServer } from '../../../support/local-server.ts';
import { type LoggingProxy, loggingProxy } from './logging-proxy.ts';
import type { Programs } from './programs.ts';

export interface ProxiedServer {
  proxy: LoggingProxy;
  stop(): Promise<void>;
}

const answers = (url: string) =>
  fetch(`${url}/v1/models`).then(
    ({ ok }) => ok,
    () => false,
  );
const waiting = { stdio: 'ignore', isReady: answers, ready_ms: 120_000, look_ms: 250 } as const;

/** The chat model with a context of this many tokens. Throws when it does not answer. */
export async function startChat({ python, chat }: Programs, context: number): Promise<ProxiedServer> {
  const llama = await startServer({
    ...waiting,
    name: 'llama-cpp-python',
    command: python,
    args: (port) => [
      ...['-m', 'llama_cpp.server', '--model', chat, '--model_alias', 'smol', '--n_ctx', String(context)],
      ...['--host', '127.0.0.1', '--port', String(port), '--verbose', 'false'],
      // Its threads wait for each other in loops, which takes many times as long next to any other work.
      ...['--n_threads', '1', '--n_threads_batch', '1'],
    ],
  });
  return proxied(llama);
}

/** The embedding model. Throws when it does not answer. */
export async function startEmbedding({ python, embedding }: Programs): Promise<ProxiedServer> {
  const server = await startServer({
    ...waiting,
    name: 'the embedding server',
    command: python,
    args: (port) => [fileURLToPath(new URL('embedding_server.py', import.meta.url)), embedding, String(port)],
  });
  return proxied(server);
}

async function proxied(server: LocalServer): Promise<ProxiedServer> {
  const proxy = await loggingProxy(server.url);
  return {
    proxy,
    async stop() {
      await proxy.close();
      await server.stop();
    },
  };
}
