// The content security policy of the site's pages (rules.md: console 2).

/** The policy of a page that may connect to these sources. */
export const policyFor = (connectsTo: readonly string[] = []): string =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:",
    ...(connectsTo.length > 0 ? [`connect-src ${connectsTo.join(' ')}`] : []),
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "trusted-types 'none'; require-trusted-types-for 'script'",
  ].join('; ');
