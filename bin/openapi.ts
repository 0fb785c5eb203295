// Writes what is generated from the contract: the OpenAPI document, the part of it for agents, the types of the Python
// client, and the rules for their page. `--check` only reports whether the files are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pythonTypes } from '../clients/python/tools/python-types.ts';
import { agentContract } from '../functions/contract/document/agent-contract.ts';
import { openApiDocument } from '../functions/contract/openapi-document.ts';

/** The text of a file, or undefined when it does not exist. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Writes or checks a file, named from the project's root. Throws Error for a stale one. */
function generate(file: string, content: object | string, check: boolean): void {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
  if (!check) writeFileSync(path, text);
  else if (text !== textOf(path)) throw new Error(`${file} is stale: run npm run openapi`);
}

/** The topics of the rules, each with its numbered rules. */
function ruleTopicsIn(markdown: string): { title: string; rules: string[] }[] {
  const [, ...sections] = markdown.split(/^## /m);
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    return { title, rules: lines.flatMap((line) => /^\d+\. (.*)$/.exec(line)?.[1] ?? []) };
  });
}

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const document = openApiDocument();
  generate('functions/contract/openapi.json', document, values.check);
  generate('clients/mcp/contract.json', agentContract(document), values.check);
  generate('clients/python/src/run_service/types.py', pythonTypes(JSON.stringify(document)), values.check);
  const rules = readFileSync(new URL('../functions/contract/rules.md', import.meta.url), 'utf8');
  generate('functions/docs/rules.json', ruleTopicsIn(rules), values.check);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
