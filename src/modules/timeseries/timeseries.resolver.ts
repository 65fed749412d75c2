import {
  Args,
  Context,
  Field,
  Float,
  InputType,
  Int,
  ObjectType,
  Parent,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import type {
  AspectValues,
  DatasetFieldProfile as StoredFieldProfile,
} from '../../catalog/model/generated/aspects.js';
import { Model } from '../../catalog/model/index.js';
import { Dataset } from '../datasets/graphql.js';
import {
  AspectEvents,
  FacetFilterInput,
  Long,
  optional,
  RequestContext,
  showsPartOf,
  type AskedEvents,
  type Stored,
} from '../graphql/index.js';
import { compileFilter } from './event-filter.js';
import { LIMIT, readLimit } from './event-limit.js';
import { readEvents } from './read-events.js';
import { TimeseriesService } from './timeseries.service.js';
import './time-window.types.js';

@InputType('FilterInput', { description: 'Conditions on events that must all hold.' })
class FilterInput {
  @Field(() => [FacetFilterInput]) and!: FacetFilterInput[];
}

@ObjectType('ValueFrequency', { description: 'How often a value occurs.' })
class ValueFrequency {
  @Field(() => String) value!: string;
  @Field(() => Long) frequency!: number;
}

@ObjectType('Quantile', { description: 'A value below which a share of the values lies.' })
class Quantile {
  @Field(() => String, { description: 'The share, from 0 to 1.' }) quantile!: string;
  @Field(() => String, { description: 'The value.' }) value!: string;
}

@ObjectType('DatasetFieldProfile', { description: 'Statistics of one column.' })
class DatasetFieldProfile {
  @Field(() => String) fieldPath!: string;
  @Field(() => Long, optional) uniqueCount!: number | null;
  @Field(() => Float, optional) uniqueProportion!: number | null;
  @Field(() => Long, optional) nullCount!: number | null;
  @Field(() => Float, optional) nullProportion!: number | null;
  @Field(() => String, optional) min!: string | null;
  @Field(() => String, optional) max!: string | null;
  @Field(() => String, optional) mean!: string | null;
  @Field(() => String, optional) median!: string | null;
  @Field(() => String, optional) stdev!: string | null;
  @Field(() => [String], optional) sampleValues!: string[] | null;
  @Field(() => [ValueFrequency], optional) distinctValueFrequencies!: ValueFrequency[] | null;
  @Field(() => [Quantile], { nullable: true, description: 'Values below which shares of them lie.' })
  quantiles!: Quantile[] | null;
}

@ObjectType('DatasetProfile', { description: 'Statistics of a dataset at one time.' })
class DatasetProfile {
  @Field(() => Long, { description: 'Epoch milliseconds.' }) timestampMillis!: number;
  @Field(() => Long, optional) rowCount!: number | null;
  @Field(() => Long, optional) columnCount!: number | null;
  @Field(() => Long, optional) sizeInBytes!: number | null;
  @Field(() => [DatasetFieldProfile], optional) fieldProfiles!: DatasetFieldProfile[] | null;
}

/** What is measured about datasets over time. */
@Resolver(() => Dataset)
export class TimeseriesResolver {
  constructor(
    private readonly service: TimeseriesService,
    private readonly model: Model,
  ) {}

  @ResolveField(() => [DatasetProfile], { nullable: true, description: 'Its statistics, the newest first.' })
  async datasetProfiles(
    @Parent() dataset: Dataset,
    @Context() context: RequestContext,
    @Args('startTimeMillis', { type: () => Long, nullable: true }) from: number | null,
    @Args('endTimeMillis', { type: () => Long, nullable: true }) to: number | null,
    @Args('filter', { type: () => FilterInput, nullable: true }) filter: FilterInput | null,
    @Args('limit', { type: () => Int, nullable: true, description: LIMIT }) limit: number | null,
  ): Promise<DatasetProfile[]> {
    return readEvents(context, this.service, toProfile, {
      urn: dataset.urn,
      aspect: 'datasetProfile',
      from: from ?? undefined,
      to: to ?? undefined,
      newestFirst: true,
      limit: readLimit(limit, from),
      filter: filter ? filterOf(filter, 'datasetProfile', this.model) : undefined,
    });
  }
}

/** The events of aspects that are shown as the model has them. */
@Resolver()
export class AspectEventsResolver extends AspectEvents {
  constructor(
    private readonly service: TimeseriesService,
    private readonly model: Model,
  ) {
    super();
  }

  async values(context: RequestContext, urn: string, aspect: string, asked: AskedEvents): Promise<object[]> {
    const filter = asked.filter as FilterInput | null | undefined;
    const having = Object.entries(asked.having ?? {}).map(([field, value]) => ({ field, values: [value] }));
    const and = [...(filter?.and ?? []), ...having];
    return readEvents(context, this.service, (value: object) => value, {
      urn,
      aspect,
      from: asked.startTimeMillis ?? undefined,
      to: asked.endTimeMillis ?? undefined,
      newestFirst: true,
      limit: readLimit(asked.limit, asked.startTimeMillis),
      filter: and.length > 0 ? filterOf({ and }, aspect, this.model) : undefined,
    });
  }
}

function filterOf({ and }: FilterInput, aspect: string, model: Model) {
  const criteria = and.map(({ field, values, value, condition, negated }) => ({
    field,
    ...(values ? { values } : {}),
    ...(value ? { value } : {}),
    condition: condition ?? 'EQUAL',
    negated: negated ?? false,
  }));
  return compileFilter({ or: [{ and: criteria }] }, model.aspects.get(aspect)!, model, '/filter');
}

function toProfile(event: AspectValues['datasetProfile']): DatasetProfile & Stored {
  return {
    timestampMillis: event.timestampMillis,
    stored: event,
    rowCount: event.rowCount ?? null,
    columnCount: event.columnCount ?? null,
    sizeInBytes: event.sizeInBytes ?? null,
    fieldProfiles: event.fieldProfiles?.map(fieldProfile) ?? null,
  };
}

function fieldProfile(field: StoredFieldProfile): DatasetFieldProfile {
  return {
    fieldPath: field.fieldPath,
    uniqueCount: field.uniqueCount ?? null,
    uniqueProportion: field.uniqueProportion ?? null,
    nullCount: field.nullCount ?? null,
    nullProportion: field.nullProportion ?? null,
    min: field.min ?? null,
    max: field.max ?? null,
    mean: field.mean ?? null,
    median: field.median ?? null,
    stdev: field.stdev ?? null,
    sampleValues: field.sampleValues ?? null,
    distinctValueFrequencies: field.distinctValueFrequencies ?? null,
    quantiles: field.quantiles ?? null,
  };
}

showsPartOf('DatasetProfile', 'dataset.DatasetProfile', true);
