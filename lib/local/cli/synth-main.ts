// Child process of the local start: bundles and synthesizes the stack, so that the service does not keep that memory.
import { local, synthesizeApp } from '../../app.ts';
import { sharedThread } from '../shared-thread/replacements.ts';

const loopbackToo = { '#outbound/address-policy.ts': 'lib/local/cli/loopback-address-policy.ts' };
const isLoopbackAllowed = process.argv.includes('--allow-local-callbacks');

await synthesizeApp(local({ ...sharedThread, ...(isLoopbackAllowed && loopbackToo) }));
