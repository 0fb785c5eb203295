// What a route that will go tells its callers (rules.md: versions 1).

/** Days in UTC, `YYYY-MM-DD`: from which a route is deprecated, and from which it may be gone. */
export interface Deprecation {
  since: string;
  sunset: string;
}

/** The headers of each reply of such a route: `Deprecation` by RFC 9745, `Sunset` by RFC 8594. */
export function deprecationHeaders({ since, sunset }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
  };
}
