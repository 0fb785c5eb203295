// The page of an unknown address.
import { link } from '../router.ts';
import { useTitle } from '../title.ts';

export function MissingPage() {
  useTitle('No such page');
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        <a href={link('runs')}>Go to the runs</a>
      </p>
    </>
  );
}
