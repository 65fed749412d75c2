import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import type { JsonSchema, Model } from '../../../catalog/model/index.js';
import { sentenceOf } from './names.js';
import { partialTypes } from './record-views.js';

/** What names say wherever they stand, in types and in arguments. */
const COMMON: Readonly<Record<string, string>> = {
  actor: 'Who did it.',
  attribution: 'Where it comes from, and who put it there.',
  associatedUrn: 'URN of the entity that has it.',
  count: 'How many there may be, or are.',
  created: 'When it was created, and by whom.',
  dataPlatformInstance: 'The installation of its platform that it lies on.',
  deleteReferences: 'Accepted for compatibility.',
  description: 'What it is.',
  direction: 'Which way to look.',
  displayName: 'Its name for people.',
  endTimeMillis: 'Up to this time, in epoch milliseconds.',
  entities: 'The entities.',
  entity: 'The entity.',
  externalUrl: 'Address of its page in its own tool.',
  facets: 'Values of fields among all hits, with counts.',
  filter: 'Only what fits it.',
  filters: 'All of these conditions must hold.',
  fieldPath: 'Path of the column.',
  glossaryTerms: 'Its glossary terms.',
  globalTags: 'Its tags.',
  id: 'Its id, the last part of the URN.',
  input: 'What to do, or what to look for.',
  lastModified: 'When it was last changed, and by whom.',
  limit: 'How many there may be at most.',
  name: 'Its name.',
  orFilters: 'One of these groups of conditions must hold.',
  query: 'What to search for; * finds everything.',
  properties: 'What is known about it.',
  resourceUrn: 'URN of the entity that is changed.',
  searchFlags: 'What the search leaves out.',
  searchResults: 'The hits of the page.',
  start: 'How many to skip before the first.',
  startTimeMillis: 'From this time on, in epoch milliseconds.',
  suggestions: 'Texts that find more.',
  tags: 'Its tags.',
  total: 'How many there are.',
  type: 'What kind it is.',
  urn: 'Its URN.',
  urns: 'Their URNs.',
  value: 'The value.',
};

interface Described {
  description?: string | null | undefined;
}

/**
 * Gives a description to whatever has none: that of the model where a hand-written type shows a record, otherwise what
 * the name says.
 */
export function describeAll(schema: GraphQLSchema, model: Model): void {
  const records = partialTypes();
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    type.description ||= sentenceOf(type.name);
    const record = records.get(type.name);
    describeParts(type, (record === undefined ? undefined : model.definitions.get(record))?.properties);
  }
}

function describeParts(type: GraphQLNamedType, properties: Record<string, JsonSchema> | undefined): void {
  const describe = (part: Described, name: string): void => {
    const common = Object.hasOwn(COMMON, name) ? COMMON[name] : undefined;
    part.description ||= properties?.[name]?.description ?? common ?? sentenceOf(name);
  };
  if (isEnumType(type)) for (const value of type.getValues()) value.description ||= sentenceOf(value.name);
  else if (isInputObjectType(type))
    for (const field of Object.values(type.getFields())) describe(field, field.name);
  else if (isObjectType(type) || isInterfaceType(type))
    for (const field of Object.values(type.getFields())) {
      describe(field, field.name);
      for (const argument of field.args) describe(argument, argument.name);
    }
}
