// Child process of the local start: bundles and synthesizes the stack, then ends, so that the service itself stays lean.
import { synthesizeApp } from '../../app.ts';

const loopbackToo = { '#outbound/address-policy.ts': 'lib/local/cli/loopback-address-policy.ts' };

await synthesizeApp(process.argv.includes('--allow-local-callbacks') ? loopbackToo : {});
