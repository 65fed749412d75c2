import { Ajv, type ValidateFunction } from 'ajv';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { isLarge } from '../../catalog/json/index.js';
import {
  addBoundedErrors,
  fitsInSteps,
  isRecord,
  mapSchema,
  violationsOf,
  withBoundedErrors,
} from '../../catalog/model/index.js';
import { inTurns, mapInSlices } from '../../catalog/schedule/index.js';
import { LINEAGE_EVENT, type EVENT_TYPES } from './lineage-event.schema.js';

/** A dataset of an event, with the facets that are read. */
export interface LineageDataset {
  namespace: string;
  name: string;
  facets?: {
    schema?: { fields?: Array<{ name: string; type?: string; description?: string }> };
    symlinks?: { identifiers?: Array<{ namespace: string; name: string; type?: string }> };
    columnLineage?: {
      fields?: Record<
        string,
        {
          inputFields: Array<{
            namespace: string;
            name: string;
            field: string;
            transformations?: Array<{ type: string; subtype?: string }>;
          }>;
          transformationType?: string | null;
        }
      >;
    };
  };
}

export interface LineageJob {
  namespace: string;
  name: string;
  facets?: {
    documentation?: { description?: string };
    jobType?: { processingType?: string; jobType?: string | null };
    sql?: { query: string };
  };
}

export interface LineageRun {
  runId: string;
  facets?: {
    processing_engine?: { name?: string; version?: string };
    parent?: { run: { runId: string } };
  };
}

/** An event as producers send it. */
export interface LineageEvent {
  eventTime: string;
  producer: string;
  eventType?: (typeof EVENT_TYPES)[number];
  run?: LineageRun;
  job?: LineageJob;
  dataset?: LineageDataset;
  inputs?: LineageDataset[];
  outputs?: LineageDataset[];
}

const MAX_VIOLATIONS = 20;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/i;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Compiled with the first event. */
let validate: ValidateFunction | undefined;

/**
 * An event of any size: others are served while a large one is read.
 * @throws CatalogError PARAMETER_INVALID, with a pointer for each fault
 */
export async function readLineageEvent(body: unknown): Promise<LineageEvent> {
  if (!isRecord(body)) throw refuse('PARAMETER_INVALID', 'the body must be one event as a JSON object', '');
  const check = (validate ??= compile());
  const fits = isLarge(body) && (await inTurns(fitsInSteps(body, (part) => check(part))));
  if (!fits && !check(body)) {
    const details = violationsOf(check.errors ?? [], MAX_VIOLATIONS);
    const [first] = details;
    throw new CatalogError(
      'PARAMETER_INVALID',
      `${first?.pointer ?? ''} ${first?.message ?? ''}`.trim(),
      details,
    );
  }
  const members: Array<[name: string, member: unknown]> = [];
  for (const [name, member] of Object.entries(body)) {
    if (member === null) continue;
    const list = Array.isArray(member) && (await mapInSlices(member, withoutNulls));
    members.push([name, list || withoutNulls(member)]);
  }
  const event = Object.fromEntries(members) as unknown as LineageEvent;
  if (event.job === undefined && event.dataset === undefined)
    throw refuse('PARAMETER_INVALID', 'an event needs "run" and "job", or "job", or "dataset"', '');
  if (event.run !== undefined && event.job === undefined)
    throw refuse('PARAMETER_INVALID', 'the run of an event needs its "job"', '/job');
  return event;
}

function compile(): ValidateFunction {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    formats: {
      'date-time': (text: string) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)),
      uuid: UUID,
    },
  });
  addBoundedErrors(ajv);
  return ajv.compile(mapSchema(LINEAGE_EVENT, withBoundedErrors));
}

/** What is null is as good as absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, withoutNulls(inner)]),
  );
}
