// The shell around every page: header, navigation, connection problems, announcements, and the list of shortcuts.
import { useSignal } from '@preact/signals';
import type { ComponentType, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Me } from '../sdk/index.ts';
import { announcement } from './announce.ts';
import { away } from './connection.ts';
import { tokenOf } from './guest-tokens.ts';
import { shortcuts, useShortcuts } from './keys.ts';
import { useOpenQuestions } from './open-questions.ts';
import { LoginPage } from './pages/login.tsx';
import { MissingPage } from './pages/missing.tsx';
import type { PageProps } from './pages/page.ts';
import { RunsPage } from './pages/runs.tsx';
import { Dialog } from './parts/dialog.tsx';
import { OtherKey } from './parts/other-key.tsx';
import { Show } from './parts/show.tsx';
import { useResource } from './resource.ts';
import { go, link, route } from './router.ts';
import { allows, type Session, session, signOut } from './session.ts';
import type { PageName } from './view-models/address.ts';

/** A page that is loaded on its first visit. */
function lazy<P extends object = PageProps>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function Lazy(props) {
    const page = useResource('page', load);
    return <Show resource={page}>{(Page) => <Page {...props} />}</Show>;
  };
}

const pages: Readonly<Record<Exclude<PageName, 'login'>, ComponentType<PageProps>>> = {
  runs: RunsPage,
  run: lazy(async () => (await import('./pages/run.tsx')).RunPage),
  artifact: lazy(async () => (await import('./pages/artifact.tsx')).ArtifactPage),
  records: lazy(async () => (await import('./pages/records.tsx')).RecordsPage),
  record: lazy(async () => (await import('./pages/record.tsx')).RecordPage),
  monitors: lazy(async () => (await import('./pages/monitors.tsx')).MonitorsPage),
  monitor: lazy(async () => (await import('./pages/monitor.tsx')).MonitorPage),
  questions: lazy(async () => (await import('./pages/questions.tsx')).QuestionsPage),
  jobs: lazy(async () => (await import('./pages/jobs.tsx')).JobsPage),
  job: lazy(async () => (await import('./pages/job.tsx')).JobPage),
  new: lazy(async () => (await import('./pages/new.tsx')).NewPage),
  deliveries: lazy(async () => (await import('./pages/deliveries.tsx')).DeliveriesPage),
  keys: lazy(async () => (await import('./pages/keys.tsx')).KeysPage),
  usage: lazy(async () => (await import('./pages/usage.tsx')).UsagePage),
  missing: MissingPage,
};

/** A question that was opened by its own link needs no key, and has nothing of the console around it. */
const Question = lazy(async () => (await import('./pages/question.tsx')).QuestionPage);

/** The pages of the navigation, with those below them. */
const links: readonly [page: PageName, text: string, ...below: PageName[]][] = [
  ['runs', 'Runs', 'run', 'artifact'],
  ['records', 'Records', 'record'],
  ['monitors', 'Monitors', 'monitor'],
  ['questions', 'Questions', 'jobs', 'job'],
  ['new', 'New run'],
  ['deliveries', 'Deliveries'],
  ['keys', 'Keys'],
  ['usage', 'Usage'],
];

export function App() {
  const main = useRef<HTMLElement>(null);
  const { page, id } = route.value;
  const token = page === 'job' ? tokenOf(id) : undefined;
  const who = token === undefined ? session.value : undefined;
  useFocusOnNewPage(main);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header class="bar">
        <a class="brand" href={link('runs')}>
          Run service
        </a>
        {who && <Navigation who={who} />}
        {who && <Account who={who} />}
      </header>
      {away.value && <OfflineBar who={who} />}
      <main id="content" ref={main} tabIndex={-1}>
        {token === undefined ? <PageOrLogin who={who} /> : <Question key={id} id={id} token={token} />}
      </main>
      <div class="unseen" role="status" aria-live="polite">
        {announcement}
      </div>
      {who && <Shortcuts />}
      <OtherKey />
    </>
  );
}

function PageOrLogin({ who }: { who: Session | undefined }) {
  const { page, id, query } = route.value;
  if (!who || page === 'login') return <LoginPage />;
  const Current = pages[page];
  // Another run, or key, is another page: no state of the last one remains.
  return <Current key={`${who.number} ${page} ${id}`} session={who} id={id} query={query} />;
}

/** A new page is read from its start, by screen readers too. */
function useFocusOnNewPage(main: RefObject<HTMLElement | null>) {
  const { page, id } = route.value;
  const first = useRef(true);
  // A change of page moves the focus, before a key may be meant for the new page; a change of filters does not.
  useLayoutEffect(() => {
    if (first.current) first.current = false;
    else {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }, [page, id]);
}

function Navigation({ who }: { who: Session }) {
  const { page: shown } = route.value;
  const questions = useOpenQuestions(who);
  const shownLinks = links.filter(([page]) => page !== 'keys' || allows(who, 'keys:manage'));
  return (
    <nav aria-label="Main">
      {shownLinks.map(([page, text, ...below]) => (
        <a
          key={page}
          href={link(page)}
          aria-current={shown === page ? 'page' : below.includes(shown) ? 'true' : undefined}
        >
          {text}
          {page === 'questions' && questions !== '' && <Count text={questions} />}
        </a>
      ))}
      <a href="docs">Reference</a>
    </nav>
  );
}

/** How many of what the link leads to are open. */
function Count({ text }: { text: string }) {
  return (
    <span class="count">
      {text}
      <span class="unseen"> open</span>
    </span>
  );
}

const SIMULATED =
  'Answers come from a rehearsal model: it understands simple questions, and no cost of it is real.';

const AWAY = 'No model answers at the moment: runs wait until one is back.';

/** Only what is not as one expects of a model: that it is away, or only rehearses. */
function ModelChip({ model: { name, simulated, available } }: Pick<Me, 'model'>) {
  if (available && !simulated) return null;
  return (
    <span class="kind" title={available ? SIMULATED : AWAY}>
      {available ? name : 'away'}
      <span class="roomy">&nbsp;{available ? 'model' : ': no model answers'}</span>
    </span>
  );
}

function Account({ who }: { who: Session }) {
  const me = who.me.value;
  return (
    <div class="account">
      {me && <span class="quiet workspace">{me.workspace.name}</span>}
      {me && <ModelChip model={me.model} />}
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
    </div>
  );
}

const ASK_AGAIN_MS = 3000;

/** Retries until the service answers. */
function OfflineBar({ who }: { who: Session | undefined }) {
  useEffect(() => {
    const timer = setInterval(() => void who?.refresh().catch(() => undefined), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [who]);
  return (
    <p class="offline" role="status">
      The service cannot be reached. This page may be out of date; it reconnects automatically.
    </p>
  );
}

function Shortcuts() {
  const open = useSignal(false);
  useShortcuts([
    { key: '?', does: 'Show these keys', run: () => (open.value = true) },
    { key: 'n', does: 'New run', run: () => go(link('new')) },
  ]);
  if (!open.value) return null;
  return (
    <Dialog title="Keys" onClose={() => (open.value = false)}>
      <dl class="keys">
        {shortcuts.value.flat().map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
