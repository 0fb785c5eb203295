// A new run: by a query, a plan, a dossier or JSON.
import { useTitle } from '../title.ts';

export function NewPage() {
  useTitle('New run');
  return <h1>New run</h1>;
}
