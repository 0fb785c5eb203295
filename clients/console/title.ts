// Sets the title of the browser tab.
import { useEffect } from 'preact/hooks';

/** Names the page in the tab and in the history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Run service`;
  }, [title]);
}
