// `npm run prove -- judge:snippets`: the Python and Go verifiers of the webhook guide, judged by the machine's own
// python3 and go.
import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeBlocks } from '../../support/snippets.ts';

const NOW = 1_795_000_000;
const KEY = 'sk_test';
const BODY = '{"event_type":"run.succeeded","data":{"note":"Zürich"}}';
const macOf = (key: string) => {
  const secret = createHash('sha256').update(key).digest('hex');
  return createHmac('sha256', secret).update(`${NOW}.${BODY}`).digest('hex');
};
const mac = macOf(KEY);

/** Body, header, key, time and the verdict that is due. */
const cases: readonly [body: string, header: string, key: string, now: number, valid: boolean][] = [
  // What anyone can sign where the key is not set.
  ...['', ' ', '\t', '\n'].map(
    (key) => [BODY, `t=${NOW},v1=${macOf(key)}`, key, NOW, false] satisfies (typeof cases)[number],
  ),
  [BODY, `t=${NOW},v1=${mac}`, KEY, NOW, true],
  [BODY, `t=${NOW},v1=${mac}`, KEY, NOW + 300, true],
  [BODY, `t=${NOW},v1=${mac}`, KEY, NOW - 301, false],
  [BODY, `t=${NOW},v1=${mac}`, KEY, NOW + 301, false],
  [BODY, `t=${NOW},v1=${mac}`, KEY, 0, false],
  [`${BODY} `, `t=${NOW},v1=${mac}`, KEY, NOW, false],
  [BODY, `t=${NOW},v1=${mac}`, `${KEY}x`, NOW, false],
  [BODY, `t=${NOW},v1=${mac.toUpperCase()}`, KEY, NOW, false],
  [BODY, `t=${NOW},v1=${mac.slice(1)}`, KEY, NOW, false],
  [BODY, '', KEY, NOW, false],
];

const pythonMain = `
import json, sys
for body, header, key, now, valid in json.load(sys.stdin):
    assert verify(body.encode(), header, key, now) is valid, (body, header, key, now)
    for other in (float("nan"), float("inf"), "soon", [], {}):
        assert verify(body.encode(), header, key, other) is False, (body, header, key, other)
    for unset in (None, 42, b""):
        assert verify(body.encode(), header, unset, now) is False, (body, header, unset, now)
`;

const goTest = `package webhook

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

func TestVerify(t *testing.T) {
	text, _ := os.ReadFile("cases.json")
	var cases [][]any
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		now := time.Unix(int64(c[3].(float64)), 0)
		if Verify([]byte(c[0].(string)), c[1].(string), c[2].(string), now) != c[4].(bool) {
			t.Error(c)
		}
	}
}
`;

const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
try {
  // The last sample of a language needs no client.
  const guide = (language: string) =>
    codeBlocks('functions/contract/document/guides/webhooks.md', language).at(-1) ?? '';
  const files = {
    'cases.json': JSON.stringify(cases),
    'verify.py': guide('python') + pythonMain,
    'verify.go': guide('go'),
    'verify_test.go': goTest,
    'go.mod': 'module webhook\n\ngo 1.21\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  execFileSync('python3', ['verify.py'], { cwd: folder, input: files['cases.json'] });
  execFileSync('go', ['vet', '.'], { cwd: folder, stdio: 'inherit' });
  execFileSync('go', ['test', '.'], { cwd: folder, stdio: 'inherit' });
  console.log(`python3 and go agree with all ${cases.length} verdicts`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
