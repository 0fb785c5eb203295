// The page of the rules: what the API promises beyond its shapes, by topic and number.

import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import { inline } from './prose.ts';
import rules from './rules.json' with { type: 'json' };

export interface RuleTopic {
  title: string;
  /** In order; their numbers never change. */
  rules: string[];
}

export const ruleTopics: readonly RuleTopic[] = rules;

/** Renders the page. A rule has the anchor of its topic and number, as `#records-14`. */
export function rulesPage(): string {
  const content = html`<p>What the service promises beyond the shapes of requests and replies. Numbers never change.</p>
${ruleTopics.map(topicSection)}`;
  return page({ at: 'docs/rules', title: 'Rules', navigation: navigation(), content });
}

function topicSection({ title, rules: all }: RuleTopic): Html {
  const items = all.map(
    (rule, i) => html`<li id="${title}-${i + 1}">${inline(rule)}</li>
`,
  );
  return html`<section id="${title}"><h2><a href="#${title}">${title}</a></h2><ol>${items}</ol></section>
`;
}

function navigation(): Html {
  return html`<ul><li><a href="../docs">Reference</a></li><li><a href="errors">Errors</a></li>${ruleTopics.map(({ title }) => html`<li><a href="#${title}">${title}</a></li>`)}</ul>`;
}
