// Leads from page to page of a table of records.
import { here } from '../router.ts';
import { counted } from '../view-models/figures.ts';
import { addressOf, MOST_RECORDS, PAGE_RECORDS } from '../view-models/record-view.ts';

export function Pager({ page, matched }: { page: number; matched: number }) {
  const pages = Math.ceil(Math.min(matched, MOST_RECORDS) / PAGE_RECORDS);
  if (pages <= 1) return null;
  const isLast = page + 1 >= pages;
  return (
    <nav class="row" aria-label="Pages of the table">
      <Turn text="Previous" page={page > 0 ? page - 1 : undefined} />
      <span>
        Page {page + 1} of {pages}
      </span>
      <Turn text="Next" page={isLast ? undefined : page + 1} />
      {isLast && matched > MOST_RECORDS && (
        <span class="quiet">
          Pages lead to the first {counted(MOST_RECORDS, 'record')}: conditions, a search or another order
          show others.
        </span>
      )}
    </nav>
  );
}

/** A link where there is a page to turn to. */
function Turn({ text, page }: { text: string; page: number | undefined }) {
  if (page === undefined)
    return (
      <button type="button" disabled>
        {text}
      </button>
    );
  return (
    <a class="button" href={here(addressOf.page(page))}>
      {text}
    </a>
  );
}
