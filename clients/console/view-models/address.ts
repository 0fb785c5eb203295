// Routes of the console: a page, its subject and its filters, all in the fragment of the address.

export type PageName =
  | 'login'
  | 'runs'
  | 'run'
  | 'artifact'
  | 'records'
  | 'record'
  | 'monitors'
  | 'monitor'
  | 'questions'
  | 'jobs'
  | 'job'
  | 'new'
  | 'deliveries'
  | 'keys'
  | 'usage'
  | 'missing';
export type Query = Readonly<Record<string, string>>;

export interface Route {
  page: PageName;
  /** Of the page's run, artifact, record, monitor or job; empty for other pages. */
  id: string;
  query: Query;
}

/** The route of a fragment; an unknown one is `missing`. An empty one is the list of runs. */
export function readRoute(fragment: string): Route {
  const [path = '', search = ''] = splitAt(fragment.replace(/^#/, ''), '?');
  const query = Object.fromEntries(new URLSearchParams(search));
  const [first = '', second, ...more] = path.replace(/^\//, '').split('/');
  const page = more.length > 0 ? 'missing' : pageOf(first, second);
  return { page, id: decoded(second ?? ''), query };
}

const OWN_LINK = /^(.*\/console)\/jobs\/([^/]+)$/;
const TOKEN = /^#token=(.+)/;

/** What the link of a question says: the path of the console, the job, and the token that answers it. */
export interface OwnLink {
  console: string;
  jobId: string;
  token: string | undefined;
}

/** What of an address says which page it is. */
interface Address {
  pathname: string;
  hash: string;
}

/** The link of a question, read; undefined for any other address. */
export function readOwnLink({ pathname, hash }: Address): OwnLink | undefined {
  const [, console, jobId] = OWN_LINK.exec(pathname) ?? [];
  if (console === undefined || jobId === undefined) return undefined;
  return { console, jobId: decoded(jobId), token: TOKEN.exec(hash)?.[1] };
}

/** The fragment of a route, without undefined or empty members of the query. */
export function fragmentOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const search = new URLSearchParams(Object.fromEntries(set)).toString();
  return `#/${path}${search && `?${search}`}`;
}

/** The fragment of a route with a changed query; undefined removes a member. */
export function fragmentWith(
  { page, id, query }: Route,
  change: Readonly<Record<string, string | undefined>>,
): string {
  const path = id === '' ? page : `${page}s/${encodeURIComponent(id)}`;
  return fragmentOf(path, { ...query, ...change });
}

/** The pages without a subject, and those with one by the first part of their address. */
const alone = [
  ...(['login', 'runs', 'records', 'monitors', 'questions', 'jobs', 'new'] as const),
  ...(['deliveries', 'keys', 'usage'] as const),
];
const below: ReadonlyMap<string, PageName> = new Map([
  ['runs', 'run'],
  ['artifacts', 'artifact'],
  ['records', 'record'],
  ['monitors', 'monitor'],
  ['jobs', 'job'],
]);

function pageOf(first: string, second: string | undefined): PageName {
  if (second) return below.get(first) ?? 'missing';
  return first === '' ? 'runs' : (alone.find((page) => page === first) ?? 'missing');
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
