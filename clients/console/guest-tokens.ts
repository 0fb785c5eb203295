// The tokens of questions that were opened by their own links: each answers its question alone (rules.md: console 21).

const nameOf = (jobId: string) => `run-service.answer.${jobId}`;

/** Stores a token for this tab, so that the page can be loaded again. */
export function storeToken(jobId: string, token: string): void {
  sessionStorage.setItem(nameOf(jobId), token);
}

/** The token of a question; undefined unless its link was opened in this tab. */
export function tokenOf(jobId: string): string | undefined {
  return sessionStorage.getItem(nameOf(jobId)) ?? undefined;
}
