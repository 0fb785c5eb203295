// What every page is given.
import type { Session } from '../session.ts';
import type { Query } from '../view-models/address.ts';

export interface PageProps {
  session: Session;
  /** Of the run or artifact that the page is about. */
  id: string;
  /** Filters and the like, from the address. */
  query: Query;
}
