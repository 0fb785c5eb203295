// What the keys of a campaign in one process say: what was sealed, opened.

/** How the headers of a source are sealed: it has none. */
export const SEALED_HEADERS = 'sealed headers';

/** The text in a seal. */
export const openedSeal = (sealed: Uint8Array): Buffer =>
  Buffer.from(Buffer.from(sealed).toString() === SEALED_HEADERS ? '{}' : '0123456789abcdef');
