// The pages of the rules: what the API promises beyond its shapes, by topic and number. Those for operators have a page
// on the shelf of operation, to which the page of all topics leads.
import type { ReferencePage } from './layout.ts';
import rules from './rules.json' with { type: 'json' };
import { blocks, list } from './write-markdown.ts';

export interface RuleTopic {
  title: string;
  /** In order; their numbers never change. */
  rules: string[];
}

const OPERATORS = new Set(['offline', 'models', 'vectors', 'local', 'admin', 'retention', 'versions']);
const isForOperators = ({ title }: RuleTopic) => OPERATORS.has(title);
const OPERATOR_PAGE = 'operator-rules';

export const ruleTopics: readonly RuleTopic[] = rules;

/** The page of a topic, as the last part of its address. */
export const pageOfTopic = (topic: RuleTopic): string => (isForOperators(topic) ? OPERATOR_PAGE : 'rules');

/** The page of all topics. A rule has the anchor of its topic and number, as `#records-14`, also where it is a link. */
export function rulesPage(): ReferencePage {
  return page('rules', 'Rules', ruleTopics, (topic, rule, number) =>
    isForOperators(topic) ? `[${topic.title} ${number}](${OPERATOR_PAGE}.md#${topic.title}-${number})` : rule,
  );
}

/** The page of the topics for operators, with the same anchors. */
export function operatorRulesPage(): ReferencePage {
  return page(OPERATOR_PAGE, 'Rules for operators', ruleTopics.filter(isForOperators), (_, rule) => rule);
}

function page(
  name: string,
  title: string,
  topics: readonly RuleTopic[],
  shown: (topic: RuleTopic, rule: string, number: number) => string,
): ReferencePage {
  const contents = list(topics.map((topic) => `[${topic.title}](#${topic.title})`));
  const content = blocks(
    'What the service promises beyond the shapes of requests and replies. Numbers never change.',
    ...topics.map((topic) =>
      blocks(
        `## [${topic.title}](#${topic.title})`,
        topic.rules.map((rule, i) => `${i + 1}. ${shown(topic, rule, i + 1)}`).join('\n'),
      ),
    ),
  );
  return { at: `docs/${name}`, site: '../', title, contents, content };
}
