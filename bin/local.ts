// Starts the whole service on this machine: `npm start -- [flags]`.
import { banner } from '../lib/local/cli/banner.ts';
import { readFlags } from '../lib/local/cli/flags.ts';
import { startService } from '../lib/local/cli/start-service.ts';
import { SetupError } from '../lib/local/setup-error.ts';

/** How long a stop may take before the process just ends: nothing acknowledged is lost by that either. */
const STOP_TIMEOUT_MS = 4_000;

// A reader of the banner that goes away (`npm start | head`) must not end the service.
process.stdout.on('error', () => {});

try {
  const service = await startService(readFlags(process.argv.slice(2)));
  const { site_url, base_url } = service.runtime;
  process.stdout.write(banner({ site_url, base_url, ...service.demo }, service.dataDir));
  const stop = () => {
    setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref();
    void service.stop().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
