// What every page is given.
import type { Session } from '../session.ts';
import type { Query } from '../text/place.ts';

export interface PageProps {
  session: Session;
  /** Of the run or artifact that the page is about. */
  id: string;
  /** Filters and the like, from the address. */
  query: Query;
}
