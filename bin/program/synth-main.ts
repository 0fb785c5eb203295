// Child process: bundles the functions for one machine and synthesizes the stack, and takes its memory with it.
import { local, synthesizeApp } from '../../lib/app.ts';
import { sharedThread } from '../../lib/local/shared-thread/replacements.ts';

const addressPolicy = { '#outbound/address-policy.ts': 'lib/local/cli/loopback-address-policy.ts' };

await synthesizeApp(local({ ...sharedThread, ...addressPolicy }));
