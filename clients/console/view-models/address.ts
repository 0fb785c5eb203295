// Where one is in the console: a page, what it shows, and its filters, all of it in the fragment of the address.

export type PageName = 'login' | 'runs' | 'run' | 'artifact' | 'new' | 'usage' | 'missing';
export type Query = Readonly<Record<string, string>>;

export interface Place {
  page: PageName;
  /** Of the run or artifact that the page is about; empty for the other pages. */
  id: string;
  query: Query;
}

/** The place that a fragment stands for; one that stands for none is `missing`. An empty one leads to the runs. */
export function readPlace(fragment: string): Place {
  const [path = '', search = ''] = splitAt(fragment.replace(/^#/, ''), '?');
  const query = Object.fromEntries(new URLSearchParams(search));
  const [first = '', second, ...more] = path.replace(/^\//, '').split('/');
  const page = more.length > 0 ? 'missing' : pageOf(first, second);
  return { page, id: decoded(second ?? ''), query };
}

/** The fragment of a place. Members of the query that are undefined or empty are left out. */
export function fragmentOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const search = new URLSearchParams(Object.fromEntries(set)).toString();
  return `#/${path}${search && `?${search}`}`;
}

/** The fragment of a place with some of its query changed; undefined takes a member away. */
export function fragmentBeside(
  { page, id, query }: Place,
  change: Readonly<Record<string, string | undefined>>,
): string {
  const path = id === '' ? page : `${page}s/${encodeURIComponent(id)}`;
  return fragmentOf(path, { ...query, ...change });
}

function pageOf(first: string, second: string | undefined): PageName {
  if (first === 'artifacts') return second ? 'artifact' : 'missing';
  if (first === 'runs' && second) return 'run';
  if (second) return 'missing';
  if (first === '') return 'runs';
  return first === 'login' || first === 'runs' || first === 'new' || first === 'usage' ? first : 'missing';
}

function splitAt(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
