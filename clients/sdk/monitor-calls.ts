// Monitors: runs that are made again by the clock or on a change.
import { created, deleted, Group } from './group.ts';
import { bodyOf, type CallOptions, type CreateOptions } from './http.ts';
import { type Page, paged } from './paged-list.ts';
import type {
  CreateMonitor,
  Fire,
  FireList,
  ListedMonitor,
  Monitor,
  MonitorList,
  UpdateMonitor,
} from './types.ts';

interface PageQuery {
  limit?: number;
  cursor?: string;
}

const pathOf = (id: string, rest = '') => `/monitors/${encodeURIComponent(id)}${rest}`;

export class Monitors extends Group {
  /** Creates a monitor; it is active. */
  create(body: CreateMonitor, options: CreateOptions = {}): Promise<Monitor & { replayed: boolean }> {
    return created(this.send, { method: 'POST', path: '/monitors', body }, options);
  }

  /** Monitors, newest first: `await` gives one page, `for await` all of them. */
  list(query: PageQuery = {}, options?: CallOptions): Page<ListedMonitor, MonitorList> {
    return paged(this.send, '/monitors', query, options);
  }

  /** A monitor with the body of its runs and its newest fire. */
  get(id: string, options?: CallOptions): Promise<Monitor> {
    return bodyOf(this.send, { method: 'GET', path: pathOf(id) }, options);
  }

  /** Changes what the body names; `{ status: 'paused' }` pauses it. */
  update(id: string, body: UpdateMonitor, options?: CallOptions): Promise<Monitor> {
    return bodyOf(this.send, { method: 'PATCH', path: pathOf(id), body }, options);
  }

  /** Deletes a monitor; its runs stay. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return deleted(this.send, pathOf(id), 'monitor_not_found', options);
  }

  /** Fires a monitor now; the outcome may be that no run is made. */
  fire(id: string, options: CreateOptions = {}): Promise<Fire & { replayed: boolean }> {
    return created(this.send, { method: 'POST', path: pathOf(id, '/fire') }, options);
  }

  /** What became of due times, changes and requests, newest first: one page, or all of them. */
  fires(id: string, query: PageQuery = {}, options?: CallOptions): Page<Fire, FireList> {
    return paged(this.send, pathOf(id, '/fires'), query, options);
  }
}
