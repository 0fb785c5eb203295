// The demo's rows as import lines. Ids derive from the rows, so that a second import replaces the records.
import type { EntityLine, RelationshipLine } from '#contract/entities.ts';
import { sha256, uuidFrom } from '#platform/crypto.ts';
import { companies, links, people, publicRecords } from './demo-data.ts';

const idOf = (slug: string) => uuidFrom(sha256(`demo:${slug}`));
const number = (prefix: string, i: number) => `${prefix}-${1001 + i}`;

/** The companies and people of the demo workspace. */
export function demoEntities(): EntityLine[] {
  const homes = new Map(companies.map(([slug, name, city]) => [slug, { name, city }]));
  const firms = companies.map(
    ([slug, name, city, country, industry, revenue_musd, employees, founded], i): EntityLine => ({
      id: idOf(slug),
      type: 'company',
      name,
      fields: {
        city,
        country,
        industry,
        revenue_musd,
        employees,
        founded,
        website: `https://www.${slug}.example`,
      },
      external_uri: `crm:${slug}`,
      external_id: number('C', i),
      source: 'crunchbase',
    }),
  );
  const staff = people.map(([slug, name, title, company], i): EntityLine => {
    const { name: employer = '', city = '' } = homes.get(company) ?? {};
    const email = `${slug.replaceAll('-', '.')}@${company}.example`;
    return {
      id: idOf(slug),
      type: 'person',
      name,
      fields: { title, company: employer, email, city },
      external_uri: `crm:${slug}`,
      external_id: number('P', i),
      source: 'linkedin',
    };
  });
  return [...firms, ...staff];
}

/** Who works where, and the other links between companies and people. */
export function demoRelationships(): RelationshipLine[] {
  const jobs = people.map(
    ([slug, , title, company, since]): RelationshipLine => ({
      from: { id: idOf(slug) },
      to: { id: idOf(company) },
      type: 'works_at',
      metadata: { role: title, start_year: since },
    }),
  );
  const others = links.map(
    ([from, type, to, metadata]): RelationshipLine => ({
      from: { id: idOf(from) },
      to: { id: idOf(to) },
      type,
      metadata,
    }),
  );
  return [...jobs, ...others];
}

/** The public records of the global workspace. */
export function publicEntities(): EntityLine[] {
  return publicRecords.map(([slug, type, name, fields]) => ({
    id: idOf(slug),
    type,
    name,
    fields,
    external_uri: `public:${slug}`,
  }));
}
