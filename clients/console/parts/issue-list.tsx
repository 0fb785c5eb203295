// The issues of a request that no field shows: the name of each member on the wire, and what is wrong.
import type { Issue } from '../view-models/issues.ts';
import { Said } from './said.tsx';

export function IssueList({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul class="refused">
      {issues.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          {!message.includes('`') && (
            <>
              <code>{path || 'request'}</code>:{' '}
            </>
          )}
          <Said text={message} />
        </li>
      ))}
    </ul>
  );
}
