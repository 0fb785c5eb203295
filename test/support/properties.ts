// Properties draw from one seed, so a run of the suite repeats the last one; `npm run prove -- properties` takes others.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTIES_SEED ?? 1) });
