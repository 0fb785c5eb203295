// The issues of a request, field by field.
import { type Issue, locationText } from '../view-models/issues.ts';

export function IssueList({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul class="refused">
      {issues.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <strong title={path}>{locationText(path) || 'The request'}</strong>: {message}
        </li>
      ))}
    </ul>
  );
}
