// What a workspace without records shows: how they get in.
import { link } from '../router.ts';

export function NoRecords() {
  return (
    <p>
      This workspace has no records yet. <a href={link('records')}>Import a file</a>: CSV, TSV, JSON or
      NDJSON.
    </p>
  );
}
