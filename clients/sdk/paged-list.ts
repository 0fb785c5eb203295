// Paged lists: awaiting one gives one page, iterating it all entries of all pages.

import { bodyOf, type CallOptions, type Send } from './http.ts';

interface PageBody<T> {
  data: T[];
  next_cursor: string | null;
  has_more: boolean;
}

/** `await page` gives the requested page; `for await (const one of page)` all entries to the end of the last page. */
export class Page<T, Body extends PageBody<T> = PageBody<T>> implements PromiseLike<Body>, AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<Body>;
  readonly #cursor: string | undefined;

  constructor(read: (cursor: string | undefined) => Promise<Body>, cursor?: string) {
    this.#read = read;
    this.#cursor = cursor;
  }

  // biome-ignore lint/suspicious/noThenProperty: it exists to be awaited
  then<A = Body, B = never>(
    done?: ((page: Body) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read(this.#cursor).then(done, failed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let cursor = this.#cursor;
    for (let more = true; more; ) {
      const page = await this.#read(cursor);
      yield* page.data;
      cursor = page.next_cursor ?? undefined;
      more = page.has_more && cursor !== undefined;
    }
  }
}

/** A list that is read page by page. */
export function paged<T, Body extends PageBody<T>>(
  send: Send,
  path: string,
  query: { cursor?: string | undefined },
  options?: CallOptions,
): Page<T, Body> {
  const read = (cursor: string | undefined) =>
    bodyOf<Body>(send, { method: 'GET', path, query: { ...query, cursor } }, options);
  return new Page(read, query.cursor);
}
