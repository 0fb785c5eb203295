// Imported before what an import loads: each simulated process has an index of its own, which takes virtual time.
import { registerHooks } from 'node:module';

const readerIndex = new URL('./reader-index.ts', import.meta.url).href;
const REPLACED = [
  '/functions/record-index/record-index.ts',
  '/functions/domain/records/snapshot.ts',
  '/functions/domain/records/segments.ts',
  '/functions/domain/records/index-disk.ts',
  '/functions/platform/coalesce.ts',
];

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return REPLACED.some((file) => resolved.url.endsWith(file))
      ? { ...resolved, url: readerIndex }
      : resolved;
  },
});
