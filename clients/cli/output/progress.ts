// Shows the progress of an import, here and in the admin CLI, on a terminal only.

export interface Progress {
  /** Replaces the progress line, at most five times a second. */
  show(text: string): void;
  /** Removes it. */
  clear(): void;
}

/** The part of a stream that progress needs. */
export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

const INTERVAL_MS = 200;
const ERASE = '\r\u001b[K';

/** Progress on this stream if it is a terminal; otherwise none. */
export function progressOn(stream: Terminal, now: () => number = Date.now): Progress {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  let shownAt = -Infinity;
  return {
    show(text) {
      if (now() - shownAt < INTERVAL_MS) return;
      shownAt = now();
      stream.write(`${ERASE}${text}`);
    },
    clear() {
      if (shownAt > -Infinity) stream.write(ERASE);
      shownAt = -Infinity;
    },
  };
}
