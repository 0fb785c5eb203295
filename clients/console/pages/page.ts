// The props of every page.
import type { Session } from '../session.ts';
import type { Query } from '../view-models/address.ts';

export interface PageProps {
  session: Session;
  /** Of the page's run or artifact. */
  id: string;
  /** Filters and the like, from the address. */
  query: Query;
}
