// Names of downloaded files.

const LONGEST = 60;
/** Names of devices, whatever follows the dot: Windows opens no file of such a name. Superscripts are digits there. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])$/i;

/** `Content-Disposition` of a download named by a title: letters, digits and dashes, for every system. */
export function asDownload(title: string, fallback: string, ending: string): string {
  const plain = (text: string, others: RegExp) => text.replace(others, '-').replace(/^-+|-+$/g, '');
  const name = plain(title.normalize('NFC'), /[^\p{Letter}\p{Number}]+/gu);
  const short = allowed([...name].slice(0, LONGEST).join('') || fallback);
  // Old clients read the first name, all others the second.
  const ascii = allowed(
    plain(short.normalize('NFKD').replace(/\p{Mark}/gu, ''), /[^A-Za-z0-9]+/g) || fallback,
  );
  return `attachment; filename="${ascii}.${ending}"; filename*=UTF-8''${encodeURIComponent(short)}.${ending}`;
}

const allowed = (name: string) => (RESERVED.test(name) ? `_${name}` : name);
