import { ask } from '../api.js';
import { at, descriptionOf, factsOf, list, writtenDescription } from '../entity/facts.js';
import {
  AddTagsDocument,
  AddTermsDocument,
  RemoveTagDocument,
  RemoveTermDocument,
  SetDomainDocument,
  UnsetDomainDocument,
  UpdateDescriptionDocument,
  type AddTagsInput,
  type EntityType,
} from '../generated.js';
import { merged, without, type Edit, type ListEdit, type Step, type Target } from './edit.js';

/** An entity, or one of its columns. */
export type Place = Pick<AddTagsInput, 'resourceUrn' | 'subResource' | 'subResourceType'>;

/** What is attached to entities and columns, together, and taken from them one by one. */
interface Attached {
  readonly noun: string;
  readonly types: readonly EntityType[];
  readonly add: (place: Place, urns: string[]) => Promise<unknown>;
  readonly remove: (place: Place, urn: string) => Promise<unknown>;
}

export const TAG: Attached = {
  noun: 'tag',
  types: ['TAG'],
  add: (place, tagUrns) => ask(AddTagsDocument, { input: { ...place, tagUrns } }),
  remove: (place, tagUrn) => ask(RemoveTagDocument, { input: { ...place, tagUrn } }),
};

export const TERM: Attached = {
  noun: 'term',
  types: ['GLOSSARY_TERM'],
  add: (place, termUrns) => ask(AddTermsDocument, { input: { ...place, termUrns } }),
  remove: (place, termUrn) => ask(RemoveTermDocument, { input: { ...place, termUrn } }),
};

export function attach(
  { noun, add, remove }: Attached,
  place: Place,
  { name, nameOf }: Target,
  from: readonly string[],
  to: readonly string[],
): Step[] {
  const added = without(to, from);
  const names = added.map(nameOf).join(', ');
  const steps: Step[] = without(from, to).map((one) => ({
    words: [`Takes the ${noun} ${nameOf(one)} from ${name}`],
    run: () => remove(place, one),
  }));
  if (added.length > 0)
    steps.push({
      words: [`Adds the ${noun}${added.length > 1 ? 's' : ''} ${names} to ${name}`],
      run: () => add(place, added),
    });
  return steps;
}

/** Entities in words. */
export const namesOf = (urns: readonly string[], nameOf: Target['nameOf']): string =>
  urns.map(nameOf).join(', ') || 'none';

const attachments = (kind: Attached, how: Pick<ListEdit, 'read' | 'expect'>): ListEdit => ({
  ...how,
  types: kind.types,
  plan: (target, from, to) => attach(kind, { resourceUrn: target.urn }, target, from, to),
  inWords: namesOf,
  merge: merged,
});

export const TAGS = attachments(TAG, {
  read: (aspects) => factsOf(aspects).tags,
  expect: (aspects, to) => ({
    ...aspects,
    globalTags: {
      ...(aspects['globalTags'] as object),
      tags: kept(aspects['globalTags'], 'tags', 'tag', to),
    },
  }),
});

export const TERMS = attachments(TERM, {
  read: (aspects) => factsOf(aspects).terms,
  expect: (aspects, to) => ({
    ...aspects,
    glossaryTerms: {
      ...(aspects['glossaryTerms'] as object),
      terms: kept(aspects['glossaryTerms'], 'terms', 'urn', to),
    },
  }),
});

/** The elements of a list as they are, with new ones behind them. */
function kept(value: unknown, field: string, key: string, urns: readonly string[]): unknown[] {
  const there = new Map(list(at(value, field)).map((one) => [at(one, key), one]));
  return urns.map((urn) => there.get(urn) ?? { [key]: urn });
}

export const DOMAIN: ListEdit = {
  types: ['DOMAIN'],
  read: (aspects) => factsOf(aspects).domains,
  plan: ({ urn, name, nameOf }, from, [domainUrn]) => {
    if (domainUrn === undefined)
      return [
        {
          words: [`Takes ${name} out of the domain ${namesOf(from, nameOf)}`],
          run: () => ask(UnsetDomainDocument, { entityUrn: urn }),
        },
      ];
    const words =
      from.length === 0
        ? `Puts ${name} into the domain ${nameOf(domainUrn)}`
        : `Moves ${name} from the domain ${namesOf(from, nameOf)} to ${nameOf(domainUrn)}`;
    return [{ words: [words], run: () => ask(SetDomainDocument, { entityUrn: urn, domainUrn }) }];
  },
  inWords: namesOf,
  // People choose one; a source may have named several.
  undoable: (from) => from.length < 2,
  expect: (aspects, to) => ({ ...aspects, domains: { domains: [...to] } }),
};

export const DESCRIPTION: Edit<string> = {
  read: (aspects, urn) => writtenDescription(aspects, urn),
  begin: (aspects) => descriptionOf(aspects) ?? '',
  plan: ({ urn, name }, from, to) => describe({ resourceUrn: urn }, name, from, to),
  inWords: (text) => text || 'empty',
};

export function describe(place: Place, name: string, from: string, to: string): Step[] {
  if (from === to) return [];
  const words =
    to === ''
      ? `Removes what people wrote as the description of ${name}`
      : `${from === '' ? 'Writes' : 'Replaces'} the description of ${name}`;
  return [
    {
      words: [words],
      run: () => ask(UpdateDescriptionDocument, { input: { ...place, description: to } }),
    },
  ];
}
