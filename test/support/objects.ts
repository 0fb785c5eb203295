// The bucket in memory, for suites without a machine.
import { vi } from 'vitest';

/** Lets the bucket keep what is put into it, until the globals are restored. */
export function keepObjects(): void {
  process.env.BUCKET_NAME = 'bodies';
  const objects = new Map<string, ArrayBuffer>();
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'PUT') objects.set(request.url, await request.arrayBuffer());
    return new Response(objects.get(request.url) ?? null, { status: objects.has(request.url) ? 200 : 404 });
  });
}
