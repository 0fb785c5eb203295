// The secrets of a source: what signs its calls, and its configured headers.
import { unseal } from '#platform/sealed.ts';
import { ownerOf, type SourceRecord } from '#store/workspaces/sources.ts';
import type { OpenSource } from './source-pages.ts';

/** The secrets of a source, open. */
export async function secretsIn(source: SourceRecord): Promise<Pick<OpenSource, 'secret' | 'headers'>> {
  const owner = ownerOf(source);
  const sealed = [source.sealed_secret, source.sealed_headers].map((one) => unseal(one, owner));
  const [secret = '', headers = '{}'] = await Promise.all(sealed);
  return { secret, headers: JSON.parse(headers) };
}
