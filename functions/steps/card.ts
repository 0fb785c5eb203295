// Entity cards: what is known about one entity (rules.md: dossier 2).
import type { CardContent } from '#contract/artifacts.ts';
import type { Direction, Entity, Relationship } from '#contract/entities.ts';
import { asMarkdown } from '#platform/linked-markdown.ts';
import { plainText } from '#platform/words.ts';
import type { ArtifactDraft, StepContext } from './step.ts';
import { cellOf } from './table-cells.ts';

const RELATIONSHIPS_MAX = 200;
const ACTIVITY_MAX = 20;
const SUMMARY_ATTRIBUTES_MAX = 5;

/** An entity's relationships and record changes, newest first. */
export type Surroundings = Pick<CardContent, 'relationships' | 'recent_activity'>;

/** Reads the relationships of an entity: the newest 200, with the warning `artifact_truncated` when there are more. */
export async function surroundingsOf(
  { sources, warn }: Pick<StepContext, 'sources' | 'warn'>,
  entity: Entity,
): Promise<Surroundings> {
  const { relationships: taken, matched } = await sources.relationshipsOf([entity.id], RELATIONSHIPS_MAX);
  if (taken.length < matched)
    warn({
      code: 'artifact_truncated',
      message: `The card of ${entity.name} lists ${taken.length} of ${matched} relationships.`,
      details: { entity_id: entity.id, relationships: matched, relationships_kept: taken.length },
    });
  const others = await sources.entities(taken.map((relationship) => otherEnd(relationship, entity)));
  const known = new Map([entity, ...others].map((other) => [other.id, other]));
  const linked = taken.flatMap((relationship) => {
    const other = known.get(otherEnd(relationship, entity));
    return other ? [{ relationship, other }] : [];
  });
  return {
    relationships: linked.map(({ relationship, other }) => ({
      entity_id: other.id,
      name: other.name,
      type: other.type,
      relationship_type: relationship.type,
      direction: directionOf(relationship, entity),
      role: typeof relationship.metadata.role === 'string' ? relationship.metadata.role : null,
    })),
    recent_activity: activityOf(entity, linked),
  };
}

/**
 * The card as an artifact. `summary` is Markdown from the caller's model; without it, the attributes make one. Values,
 * roles and activity are Markdown too (rules.md: artifacts 5).
 */
export function cardOf(
  entity: Entity,
  surroundings: Surroundings,
  now: number,
  summary?: string,
): Extract<ArtifactDraft, { kind: 'entity_card' }> {
  const { id, name, type, external_uri, external_id, source } = entity;
  const attributes = Object.entries(entity.fields).map(([key, value]) => ({
    key,
    label: nameOf(labelOf(key)),
    value: cellOf(value),
  }));
  return {
    kind: 'entity_card',
    title: name,
    content: {
      entity: {
        id,
        name: nameOf(name),
        type,
        ...(external_uri === undefined ? {} : { external_uri }),
        ...(external_id === undefined ? {} : { external_id }),
        ...(source === undefined ? {} : { source }),
      },
      summary: summary || summaryOf(entity, attributes),
      attributes,
      relationships: surroundings.relationships.map(({ name: other, role, ...relationship }) => ({
        ...relationship,
        name: nameOf(other),
        role: role === null ? null : asMarkdown(role),
      })),
      recent_activity: surroundings.recent_activity.map((activity) => ({
        ...activity,
        text: asMarkdown(activity.text),
      })),
      as_of: now,
    },
  };
}

function otherEnd({ from_id, to_id }: Relationship, entity: Entity): string {
  return from_id === entity.id ? to_id : from_id;
}

/** One from the entity to itself counts as leading out. */
function directionOf({ from_id }: Relationship, entity: Entity): Direction {
  return from_id === entity.id ? 'out' : 'in';
}

function sentenceOf(relationship: Relationship, entity: Entity, other: Entity): string {
  const [from, to] = directionOf(relationship, entity) === 'out' ? [entity, other] : [other, entity];
  return `${from.name} ${relationship.type} ${to.name}`;
}

function activityOf(
  entity: Entity,
  linked: { relationship: Relationship; other: Entity }[],
): CardContent['recent_activity'] {
  const changes = [
    { at: entity.created_at, text: 'Record created' },
    ...(entity.updated_at > entity.created_at ? [{ at: entity.updated_at, text: 'Record updated' }] : []),
    ...linked.map(({ relationship, other }) => ({
      at: relationship.updated_at,
      text: `${relationship.updated_at > relationship.created_at ? 'Relationship updated' : 'Relationship added'}: ${sentenceOf(relationship, entity, other)}`,
      direction: directionOf(relationship, entity),
    })),
  ];
  return changes.toSorted((left, right) => right.at - left.at).slice(0, ACTIVITY_MAX);
}

function summaryOf({ name, type }: Entity, attributes: CardContent['attributes']): string {
  const facts = attributes
    .map(({ label, value }) => ({ label, words: plainText(value) }))
    .filter(({ words }) => words !== '')
    .slice(0, SUMMARY_ATTRIBUTES_MAX)
    .map(({ label, words }) => `${asMarkdown(label)}: ${words}`);
  return `${asMarkdown(`${name} (${type})`)}${facts.length > 0 ? ` – ${facts.join('; ')}` : ''}.`;
}

/** The recorded name; escaped only when it could be taken for a link or HTML. */
function nameOf(name: string): string {
  return /\][([:]|<(?![ \t])/.test(name) ? asMarkdown(name) : name;
}

/** `annual_revenue` becomes "Annual revenue". */
function labelOf(key: string): string {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1);
}
