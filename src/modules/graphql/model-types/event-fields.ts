import { GraphQLInt, GraphQLList, GraphQLNonNull, isInputType, type GraphQLFieldConfig } from 'graphql';
import type { AspectSpec } from '../../../catalog/model/index.js';
import type { RequestContext } from '../request-context.js';
import type { Entity } from '../types/entity.js';
import type { AskedEvents, AspectEvents } from './aspect-events.js';
import type { RecordTypes } from './record-types.js';
import type { Fields, Shape, Source } from './shapes.js';

type Config = GraphQLFieldConfig<unknown, RequestContext>;

/** The field of an aspect that is a time series: its latest events, for some aspects with counts of them. */
export function eventsField(
  aspect: AspectSpec,
  { type, show }: Shape,
  events: AspectEvents,
  args: NonNullable<Config['args']>,
  records: RecordTypes,
): Config {
  const list = new GraphQLList(new GraphQLNonNull(type));
  const description = `${aspect.description} The latest events, the newest first.`;
  const read = async (source: unknown, asked: AskedEvents, context: RequestContext): Promise<unknown[]> => {
    const { urn } = source as Entity;
    const values = await events.values(context, urn, aspect.name, asked);
    return show ? values.map((value) => show(value, context, urn)) : values;
  };
  const counted = aspect.schema['x-graphql']?.counted;
  if (!counted) return { type: list, description, args, resolve: read };
  const { member, counts, path, argument } = counted;
  const property = argument === undefined ? undefined : aspect.schema.properties?.[argument];
  const kind = property?.$ref === undefined ? undefined : records.record(property.$ref).type;
  const narrowing: NonNullable<Config['args']> =
    argument !== undefined && isInputType(kind)
      ? { [argument]: { type: kind, description: `Only events with this ${argument}.` } }
      : {};
  const count = { type: new GraphQLNonNull(GraphQLInt) };
  const fields: Fields = {
    [member]: { type: new GraphQLNonNull(list), description: 'The events.' },
    total: { ...count, description: 'How many events these are.' },
  };
  for (const [name, value] of Object.entries(counts))
    fields[name] = { ...count, description: `How many of them are ${value}.` };
  return {
    type: records.helper(counted.type, `Events and how many there are. ${aspect.description}`, fields),
    description,
    args: { ...narrowing, ...args },
    resolve: async (source, asked: AskedEvents & Record<string, unknown>, context) => {
      const value = argument === undefined ? undefined : asked[argument];
      const having = typeof value === 'string' ? { having: { [argument!]: value } } : {};
      const found = await read(source, { ...asked, ...having }, context);
      const kinds = found.map((event) =>
        path.reduce<unknown>((at, name) => (at as Source | undefined)?.[name], event),
      );
      const result: Record<string, unknown> = { [member]: found, total: found.length };
      for (const [name, value] of Object.entries(counts))
        result[name] = kinds.filter((kind) => kind === value).length;
      return result;
    },
  };
}
