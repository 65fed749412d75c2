import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import { monthsAfter } from './time-spans.js';
import { Long, showsPartOf, showsRecord, type Stored } from '../graphql/index.js';

@ObjectType('TimeWindow', { description: 'A time window, its start and its length.' })
export class TimeWindow {
  @Field(() => Long) startTimeMillis!: number;
  @Field(() => Long, {
    description: 'Its length in milliseconds; of months and years, that of those it spans.',
  })
  durationMillis!: number;
}

const MONTHS: Readonly<Record<string, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };
const MILLIS: Readonly<Record<string, number>> = {
  SECOND: 1_000,
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: 86_400_000,
  WEEK: 604_800_000,
};

/** Months differ in length, so the length of a window depends on where it begins. */
function durationOf({ startTimeMillis, length: { unit, multiple = 1 } }: model.TimeWindow): number {
  const months = MONTHS[unit];
  if (months === undefined) return (MILLIS[unit] ?? 0) * multiple;
  return monthsAfter(startTimeMillis, months * multiple) - startTimeMillis;
}

showsRecord(
  'timeseries.TimeWindow',
  'TimeWindow',
  (value: model.TimeWindow): TimeWindow & Stored => ({
    startTimeMillis: value.startTimeMillis,
    durationMillis: durationOf(value),
    stored: value,
  }),
  TimeWindow,
);
showsPartOf('TimeWindow', 'timeseries.TimeWindow', true);
