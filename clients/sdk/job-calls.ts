// Jobs: what a run waits for until a worker or a person has answered.
import { Group } from './group.ts';
import { bodyOf, type CallOptions } from './http.ts';
import { type Page, paged } from './paged-list.ts';
import type {
  AddJobItems,
  CompleteJob,
  FailJob,
  Job,
  JobAccepted,
  JobList,
  JobOpen,
  ListedJob,
  ListJobs,
  ProgressJob,
  SourceItem,
} from './types.ts';

/** A message has at most 1 MiB, with what stands around its items. */
const PAGE_MAX_BYTES = 1_000_000;

export class Jobs extends Group {
  #post<T>(id: string, message: string, body: object, options?: CallOptions): Promise<T> {
    const path = `/jobs/${encodeURIComponent(id)}/${message}`;
    return bodyOf(this.send, { method: 'POST', path, body }, options);
  }

  /** Jobs, newest first: `await` gives one page, `for await` all of them. */
  list(query: ListJobs = {}, options?: CallOptions): Page<ListedJob, JobList> {
    return paged(this.send, '/jobs', query, options);
  }

  /** A job, and what was asked. */
  get(id: string, options?: CallOptions): Promise<Job> {
    return bodyOf(this.send, { method: 'GET', path: `/jobs/${encodeURIComponent(id)}` }, options);
  }

  /** Says how far the work is, and that it goes on. */
  progress(id: string, body: ProgressJob = {}, options?: CallOptions): Promise<JobOpen> {
    return this.#post(id, 'progress', body, options);
  }

  /** Adds a page of items, before `complete`. A page sent again is the first one's. */
  items(id: string, body: AddJobItems, options?: CallOptions): Promise<JobOpen> {
    return this.#post(id, 'items', body, options);
  }

  /**
   * Answers a job: with items, or with the answer of a person. Items that are too many for one message go ahead in
   * pages, from page 0 on.
   */
  async complete(id: string, body: CompleteJob = {}, options?: CallOptions): Promise<JobAccepted> {
    const pages = pagesOf(body.items ?? []);
    const last = pages.pop();
    for (const [page, items] of pages.entries()) await this.items(id, { page, items }, options);
    return this.#post(id, 'complete', { ...body, ...(body.items && { items: last }) }, options);
  }

  /** Says that the job cannot be done, or not by this attempt. */
  fail(id: string, body: FailJob, options?: CallOptions): Promise<JobAccepted> {
    return this.#post(id, 'fail', body, options);
  }
}

/** The items in messages of a size that is taken; at least one. */
function pagesOf(items: readonly SourceItem[]): SourceItem[][] {
  const pages: SourceItem[][] = [[]];
  let bytes = 0;
  for (const item of items) {
    const size = new TextEncoder().encode(JSON.stringify(item)).length + 1;
    bytes += size;
    if (bytes > PAGE_MAX_BYTES) {
      pages.push([]);
      bytes = size;
    }
    pages.at(-1)?.push(item);
  }
  return pages;
}
