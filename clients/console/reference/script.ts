// Enhances the reference, which also works without it: search over all pages, and buttons that copy code.
import { type Entry, search } from './search.ts';

const SHOWN_MAX = 12;

/** The index, read when it is first needed; empty where that fails, to be read again. */
function indexOf(site: string): () => Promise<Entry[]> {
  let index: Promise<Entry[]> | undefined;
  const read = async () => {
    const reply = await fetch(`${site}docs/search.json`);
    if (!reply.ok) throw new Error(String(reply.status));
    return reply.json();
  };
  return () => {
    index ??= read().catch(() => {
      index = undefined;
      return [];
    });
    return index;
  };
}

/** A result: its title, and the page that has it. */
function resultOf(site: string, { title, at, in: within }: Entry): HTMLLIElement {
  const link = document.createElement('a');
  link.href = site + at;
  const page = document.createElement('small');
  page.textContent = within;
  link.append(title, page);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Shows what has the words while they are typed; Enter opens the first, arrows move through the results. */
function addSearch(
  form: HTMLFormElement,
  input: HTMLInputElement,
  found: Element,
  results: HTMLElement,
): void {
  const { site = '' } = form.dataset;
  const index = indexOf(site);
  const show = async () => {
    const entries = await index();
    const matching = search(entries, input.value);
    results.replaceChildren(...matching.slice(0, SHOWN_MAX).map((entry) => resultOf(site, entry)));
    results.hidden = matching.length === 0;
    found.textContent = input.value.trim() === '' ? '' : `${matching.length} found`;
  };
  const hide = () => {
    results.hidden = true;
  };
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await show();
    results.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') hide();
    if (step === undefined || results.hidden) return;
    event.preventDefault();
    const stops: HTMLElement[] = [input, ...results.querySelectorAll('a')];
    const at = document.activeElement;
    if (at instanceof HTMLElement) stops[stops.indexOf(at) + step]?.focus();
  });
  for (const left of ['pointerdown', 'focusin'])
    document.addEventListener(left, ({ target }) => {
      if (target instanceof Node && !form.contains(target)) hide();
    });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.select();
  });
  form.hidden = false;
}

/** How long a button confirms the copy. */
const COPIED_MS = 2000;

/** A button that copies a block of code and confirms it. */
function addCopyButton(code: HTMLPreElement): void {
  const box = document.createElement('div');
  box.className = 'code';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.ariaLive = 'polite';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, COPIED_MS);
  });
  code.replaceWith(box);
  box.append(code, button);
}

const form = document.querySelector<HTMLFormElement>('#search');
const input = form?.querySelector('input');
const found = form?.querySelector('[role="status"]');
const results = form?.querySelector('ul');
if (form && input && found && results) addSearch(form, input, found, results);

// Browsers offer the clipboard to secure addresses only.
if (navigator.clipboard) for (const code of document.querySelectorAll('pre')) addCopyButton(code);
