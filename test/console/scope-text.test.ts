// Scopes in words: each one that a key may have, and the choices of the form.
import { expect, test } from 'vitest';
import { presets, sameScopes, scopeText } from '../../clients/console/view-models/scope-text.ts';
import { scopes } from '../../functions/contract/scopes.ts';

test.each(scopes)('%s has words of its own', (scope) => {
  expect(scopeText(scope).does).not.toBe(scope);
});

test('what makes runs may spend', () => {
  expect(scopes.filter((scope) => scopeText(scope).spends)).toEqual([
    ...['runs:create', 'presets:dossier', 'monitors:manage', 'config:unlimited_transform'],
  ]);
});

test('a choice has what the key in use may give, and no more', () => {
  expect(presets.Read(scopes)).toEqual(['runs:read', 'artifacts:read']);
  expect(presets.Agent(scopes)).toEqual(['runs:create', 'runs:read', 'runs:cancel', 'artifacts:read']);
  expect(presets.Full(scopes)).toEqual(scopes);
  expect(presets.Agent(['runs:read', 'keys:manage'])).toEqual(['runs:read']);
  expect(sameScopes(['runs:read', 'runs:create'], ['runs:create', 'runs:read'])).toBe(true);
  expect(sameScopes(['runs:read'], ['runs:create', 'runs:read'])).toBe(false);
});
