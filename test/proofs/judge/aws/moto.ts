// moto, a stand-in for AWS that others wrote, on loopback.
import { join } from 'node:path';
import { type LocalServer, startServer } from '../../../support/local-server.ts';
import { pythonTools } from '../python-tools.ts';

export const MOTO = 'moto[server]==5.2.5';

/**
 * Its threads see half of each other's transactions, and lose writes: it gets one request at a time. Its parser of
 * conditions knows no line breaks.
 */
const ONE_BY_ONE = `
import sys
from moto.dynamodb.comparisons import ConditionExpressionParser as Parser
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
read = Parser._lex_one_node
Parser._lex_one_node = lambda self, rest: read(self, rest.replace("\\n", " "))
run_simple("127.0.0.1", int(sys.argv[1]), DomainDispatcherApplication(create_backend_app), threaded=False)`;

/** Starts it with nothing in it. Throws when it does not answer within a minute. */
export const startMoto = (): Promise<LocalServer> =>
  startServer({
    name: 'moto',
    command: join(pythonTools([MOTO]), 'python'),
    args: (port) => ['-c', ONE_BY_ONE, String(port)],
    stdio: 'ignore',
    isReady: (url) =>
      fetch(`${url}/moto-api/`).then(
        ({ ok }) => ok,
        () => false,
      ),
    ready_ms: 60_000,
    look_ms: 200,
  });
