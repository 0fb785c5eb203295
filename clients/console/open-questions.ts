// How many questions wait for an answer, for the navigation: asked for again while the page is visible.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { route } from './router.ts';
import { allows, type Session } from './session.ts';
import { countText } from './view-models/job-text.ts';

const REFRESH_MS = 30_000;
/** More are shown as `20+`. */
const COUNTED = 20;

/** The text of the number, with the session that it is of; an empty one for none. */
const current = signal<{ session: Session; text: string } | undefined>(undefined);

/** Counts again. What cannot be counted is not shown; it never throws. */
export async function countQuestions(session: Session): Promise<void> {
  if (!allows(session, 'runs:read')) return;
  try {
    const page = await session.client.jobs.list({ status: 'open', kind: 'person', limit: COUNTED });
    current.value = { session, text: countText(page) };
  } catch {
    // The page that is shown says why the service does not answer.
  }
}

/** The number of open questions of a session, counted at each page and while the component is mounted. */
export function useOpenQuestions(session: Session): string {
  const { page } = route.value;
  useEffect(() => void countQuestions(session), [session, page]);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && void countQuestions(session), REFRESH_MS);
    return () => clearInterval(timer);
  }, [session]);
  const counted = current.value;
  return counted?.session === session ? counted.text : '';
}
