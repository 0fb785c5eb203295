// Child process of the local start: bundles and synthesizes the stack, then ends, so that the service itself stays lean.
import { replaceModule } from '../../bundle.ts';

if (process.argv.includes('--allow-local-callbacks')) {
  replaceModule('functions/outbound/address-policy.ts', 'lib/local/cli/loopback-address-policy.ts');
}
// Named by a variable so that the type check of this folder does not pull in the whole CDK app.
const app = new URL('../../../bin/service.ts', import.meta.url).href;
await import(app);
