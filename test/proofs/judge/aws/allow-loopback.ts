// Imported first by the trials: the service's calls reach their workers on loopback, as those of a local service do.
import { registerHooks } from 'node:module';

const loopbackToo = import.meta.resolve('../../../../lib/local/cli/loopback-address-policy.ts');

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === '#outbound/address-policy.ts' ? loopbackToo : specifier, context),
});
