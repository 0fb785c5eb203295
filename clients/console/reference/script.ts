// Enhances the reference, which also works without it: search in the list, and buttons that copy code.

/** Shows the entries that contain every word; empty sections are hidden with their titles. */
function search(form: HTMLFormElement, input: HTMLInputElement, found: Element): void {
  const entries = [...document.querySelectorAll<HTMLElement>('[data-words]')].map((element) => ({
    element,
    text: `${element.textContent} ${element.dataset.words}`.toLowerCase(),
  }));
  const sections = [...document.querySelectorAll<HTMLElement>('section:has([data-words])')];
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = entries.filter(({ element, text }) => {
      element.hidden = !words.every((word) => text.includes(word));
      return !element.hidden;
    });
    for (const section of sections)
      section.hidden = words.length > 0 && !section.querySelector('[data-words]:not([hidden])');
    found.textContent = words.length === 0 ? '' : `${matching.length} of ${entries.length}`;
  };
  input.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    document.querySelector<HTMLAnchorElement>('[data-words]:not([hidden]) a')?.click();
  });
  form.hidden = false;
  // On "back", a browser restores the search text.
  show();
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
if (form && input && found) search(form, input, found);

// Browsers offer the clipboard to secure addresses only.
if (navigator.clipboard) for (const code of document.querySelectorAll('pre')) addCopyButton(code);
