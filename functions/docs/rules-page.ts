// The page of the rules: what the API promises beyond its shapes, by topic and number.
import type { ReferencePage } from './layout.ts';
import rules from './rules.json' with { type: 'json' };
import { blocks, list } from './write-markdown.ts';

export interface RuleTopic {
  title: string;
  /** In order; their numbers never change. */
  rules: string[];
}

export const ruleTopics: readonly RuleTopic[] = rules;

/** The page. A rule has the anchor of its topic and number, as `#records-14`. */
export function rulesPage(): ReferencePage {
  const contents = list(ruleTopics.map(({ title }) => `[${title}](#${title})`));
  const content = blocks(
    'What the service promises beyond the shapes of requests and replies. Numbers never change.',
    ...ruleTopics.map(({ title, rules: all }) =>
      blocks(`## [${title}](#${title})`, all.map((rule, i) => `${i + 1}. ${rule}`).join('\n')),
    ),
  );
  return { at: 'docs/rules', site: '../', title: 'Rules', contents, content };
}
