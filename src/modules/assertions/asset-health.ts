import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { readJson } from '../../catalog/json/index.js';
import type { AssertionRunEvent, IncidentInfo } from '../../catalog/model/generated/aspects.js';
import { EntityReader } from '../entities/index.js';
import { RelationshipsService } from '../relationships/index.js';
import { TimeseriesService } from '../timeseries/index.js';
import type { Health } from './health.types.js';

/** The most assertions, and the most incidents, of one asset that are looked at. */
const MAX_CAUSES = 1_000;

type ResultType = NonNullable<AssertionRunEvent['result']>['type'];

/** Judges assets by the last results of their assertions and by their incidents. */
@Injectable()
export class AssetHealth {
  constructor(
    private readonly relationships: RelationshipsService,
    private readonly reader: EntityReader,
    private readonly events: TimeseriesService,
  ) {}

  /** By URN: a judgement for each thing that says something of the asset, as far as the caller may be told of it. */
  async of(principal: Principal, urns: readonly string[]): Promise<Map<string, Health[]>> {
    const [assertions, incidents] = await Promise.all([
      this.about(principal, urns, 'Asserts', 'assertion'),
      this.about(principal, urns, 'IncidentOn', 'incident'),
    ]);
    const [results, active] = await Promise.all([
      this.results(principal, distinct(assertions)),
      this.active(principal, distinct(incidents)),
    ]);
    return new Map(
      urns.map((urn) => {
        const byAssertions = judgedByAssertions(assertions.get(urn) ?? [], results);
        const byIncidents = judgedByIncidents(incidents.get(urn) ?? [], active);
        return [urn, [byAssertions, byIncidents].filter((health) => health !== undefined)];
      }),
    );
  }

  /** What leads to each of the entities by a relationship. */
  private async about(
    principal: Principal,
    urns: readonly string[],
    relationship: string,
    type: string,
  ): Promise<Map<string, string[]>> {
    const pages = await this.relationships.pages(principal, {
      urns,
      direction: 'INCOMING',
      types: [relationship],
      entityTypes: [type],
      includeSoftDeleted: false,
      start: 0,
      count: MAX_CAUSES,
    });
    return new Map(
      [...pages].map(([urn, { relationships }]) => [urn, relationships.map(({ entity }) => entity)]),
    );
  }

  /** The last result of each assertion that has one. */
  private async results(principal: Principal, urns: readonly string[]): Promise<Map<string, ResultType>> {
    const results = new Map<string, ResultType>();
    for (const [urn, { value }] of await this.events.newestOf(principal, urns, 'assertionRunEvent')) {
      const { result } = readJson(value) as AssertionRunEvent;
      if (result) results.set(urn, result.type);
    }
    return results;
  }

  /** Those incidents that are not over. */
  private async active(principal: Principal, urns: readonly string[]): Promise<Set<string>> {
    const states = await this.reader.read(principal, urns, ['incidentInfo']);
    const stateOf = (urn: string) =>
      (states.get(urn)?.aspects.get('incidentInfo')?.value as IncidentInfo | undefined)?.status.state;
    return new Set(urns.filter((urn) => stateOf(urn) === 'ACTIVE'));
  }
}

const distinct = (found: ReadonlyMap<string, readonly string[]>): string[] => [
  ...new Set([...found.values()].flat()),
];

const several = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Undefined where no assertion has a result. */
function judgedByAssertions(
  assertions: readonly string[],
  results: ReadonlyMap<string, ResultType>,
): Health | undefined {
  const having = (type: ResultType) => assertions.filter((urn) => results.get(urn) === type);
  const [failing, broken, passing] = [having('FAILURE'), having('ERROR'), having('SUCCESS')];
  const judged = (status: Health['status'], message: string, causes: string[]): Health => ({
    ...{ type: 'ASSERTIONS', status, message, causes },
  });
  const of = ` of ${several(assertions.length, 'assertion')}`;
  if (failing.length > 0) return judged('FAIL', `${failing.length}${of} failed at the last run`, failing);
  if (broken.length > 0) return judged('WARN', `${broken.length}${of} could not be evaluated`, broken);
  return passing.length > 0 ? judged('PASS', `${passing.length}${of} passed at the last run`, []) : undefined;
}

/** Undefined where there never was an incident. */
function judgedByIncidents(incidents: readonly string[], active: ReadonlySet<string>): Health | undefined {
  if (incidents.length === 0) return undefined;
  const causes = incidents.filter((urn) => active.has(urn));
  const status = causes.length > 0 ? 'FAIL' : 'PASS';
  return { type: 'INCIDENTS', status, message: several(causes.length, 'active incident'), causes };
}
