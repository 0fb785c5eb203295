// llms.txt (llmstxt.org): what an agent reads first, and where the rest is, as Markdown.
import { apiDocument } from './document.ts';
import { groups } from './reference.ts';

const [lead = ''] = apiDocument.info.description.split('\n\n');

/** The file, for the service at `siteUrl`. */
export function llmsPage(siteUrl: string): string {
  const link = (page: string, title: string, about: string) => `- [${title}](${siteUrl}/${page}): ${about}`;
  return [
    `# ${apiDocument.info.title}`,
    `> ${lead}`,
    'Every page of the reference is also there as Markdown: add `.md`, or ask for it with `Accept: text/markdown`.',
    '## Guides and reference',
    groups
      .map(({ slug, title, description }) => link(`docs/${slug}.md`, title, firstLine(description)))
      .join('\n'),
    '## Contract',
    [
      link('openapi.json', 'OpenAPI', 'every operation and schema, for programs'),
      link('docs/errors.md', 'Errors', 'each code with its remedy'),
      link('docs/rules.md', 'Rules', 'what the service promises beyond its shapes'),
      link(
        'docs/operator-rules.md',
        'Rules for operators',
        'those of models, one machine, commands and retention',
      ),
    ].join('\n'),
    '## Optional',
    link('docs.md', 'Overview', 'all operations, schemas and errors on one page'),
    '',
  ].join('\n\n');
}

/** The first line of a text that is no heading. */
function firstLine(text: string): string {
  const [first = ''] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return first;
}
