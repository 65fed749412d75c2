import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import type { AuditStamp } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { columnOf } from '../../../catalog/urn/index.js';
import { EditService, type AspectEdit, type Mention } from '../../ingest/index.js';

/** A step of lineage, and where the request names it. */
export interface LineageStep {
  readonly upstream: string;
  readonly downstream: string;
  /** JSON pointer. */
  readonly at: string;
}

type Value = Record<string, unknown>;

/** Where a step from one type of entities to another is kept. */
interface Place {
  /** Which of the two holds it. */
  readonly holder: 'upstream' | 'downstream';
  readonly aspect: string;
  /** The list of edges. */
  readonly edges: string;
  /** The member of an edge that names the other end. */
  readonly member?: string;
  /** A list of URNs that older clients write. */
  readonly older?: string;
  /** What the aspect is when there is none yet. */
  readonly empty?: Value;
}

const JOB: Pick<Place, 'aspect' | 'empty'> = {
  aspect: 'dataJobInputOutput',
  empty: { inputDatasets: [], outputDatasets: [] },
};
const UPSTREAMS: Place = {
  holder: 'downstream',
  aspect: 'upstreamLineage',
  edges: 'upstreams',
  member: 'dataset',
  empty: { upstreams: [] },
};
const CHART: Place = { holder: 'downstream', aspect: 'chartInfo', edges: 'inputEdges', older: 'inputs' };
const DASHBOARD = { holder: 'downstream', aspect: 'dashboardInfo' } as const;

/** By the types of the upstream and the downstream. */
const PLACES: Readonly<Record<string, Place>> = {
  'dataset dataset': UPSTREAMS,
  'dataJob dataset': { ...JOB, holder: 'upstream', edges: 'outputDatasetEdges', older: 'outputDatasets' },
  'dataset dataJob': { ...JOB, holder: 'downstream', edges: 'inputDatasetEdges', older: 'inputDatasets' },
  'dataJob dataJob': { ...JOB, holder: 'downstream', edges: 'inputDatajobEdges', older: 'inputDatajobs' },
  'dataset chart': CHART,
  'chart chart': CHART,
  'chart dashboard': { ...DASHBOARD, edges: 'chartEdges', older: 'charts' },
  'dataset dashboard': { ...DASHBOARD, edges: 'datasetEdges', older: 'datasets' },
  'dashboard dashboard': { ...DASHBOARD, edges: 'dashboards' },
};

/** Adds steps of lineage by hand, and takes them away; the model says which aspect of which end holds a step. */
@Injectable()
export class LineageEditsService {
  constructor(private readonly edits: EditService) {}

  /**
   * All in one transaction, or none. What is there already, or is not there, changes nothing.
   * @throws CatalogError ENTITY_NOT_FOUND for an end of a step that is added; PARAMETER_INVALID for ends that have no
   *   lineage between them
   */
  async update(
    principal: Principal,
    added: readonly LineageStep[],
    removed: readonly LineageStep[],
  ): Promise<void> {
    const edits = [
      ...removed.map((step) => this.edit(step, (place, other) => (value) => without(value, place, other))),
      ...added.map((step) =>
        this.edit(
          step,
          (place, other) =>
            (value, { stamp }) =>
              withStep(value, place, other, stamp),
          true,
        ),
      ),
    ];
    await this.edits.submit(principal, edits);
  }

  private edit(
    step: LineageStep,
    change: (place: Place, other: string) => AspectEdit['apply'],
    otherMustExist = false,
  ): AspectEdit {
    const ends = {
      upstream: { urn: step.upstream, at: `${step.at}/upstreamUrn` },
      downstream: { urn: step.downstream, at: `${step.at}/downstreamUrn` },
    };
    const [from, to] = [ends.upstream, ends.downstream].map(
      ({ urn, at }) => this.edits.entity(urn, at).entity.name,
    );
    const place = PLACES[`${from} ${to}`];
    if (place === undefined)
      throw refuse('PARAMETER_INVALID', `there is no lineage from a ${from} to a ${to}`, step.at);
    const holder = ends[place.holder];
    const other = ends[place.holder === 'upstream' ? 'downstream' : 'upstream'];
    const types = [place.holder === 'upstream' ? to! : from!];
    const mentions: Mention[] = otherMustExist ? [{ ...other, types }] : [];
    return { ...holder, aspect: place.aspect, what: 'lineage', mentions, apply: change(place, other.urn) };
  }
}

const listOf = (value: Value | undefined, name: string | undefined): unknown[] =>
  name === undefined ? [] : ((value?.[name] ?? []) as unknown[]);

/** Older lists hold URNs, or URNs wrapped as members of a union. */
const names = (element: unknown, urn: string): boolean =>
  element === urn || (element as { string?: unknown } | null)?.string === urn;

function withStep(
  value: Value | undefined,
  { edges, member = 'destinationUrn', older, empty }: Place,
  urn: string,
  stamp: AuditStamp,
): Value | undefined {
  const list = listOf(value, edges) as Value[];
  if (list.some((edge) => edge[member] === urn)) return undefined;
  if (listOf(value, older).some((element) => names(element, urn))) return undefined;
  const properties = { source: 'UI' };
  const edge =
    member === 'dataset'
      ? { dataset: urn, type: 'TRANSFORMED', auditStamp: stamp, created: stamp, properties }
      : { [member]: urn, created: stamp, lastModified: stamp, properties };
  return { ...empty, ...value, [edges]: [...list, edge] };
}

function without(
  value: Value | undefined,
  { edges, member = 'destinationUrn', older }: Place,
  urn: string,
): Value | undefined {
  if (value === undefined) return undefined;
  const list = listOf(value, edges) as Value[];
  const rest = list.filter((edge) => edge[member] !== urn);
  const olderList = listOf(value, older);
  const olderRest = olderList.filter((element) => !names(element, urn));
  if (rest.length === list.length && olderRest.length === olderList.length) return undefined;
  return {
    ...value,
    ...(rest.length < list.length && { [edges]: rest }),
    ...(older !== undefined && olderRest.length < olderList.length && { [older]: olderRest }),
    ...columnsWithout(value, urn),
  };
}

/** Lineage between columns goes with the lineage between their datasets. */
function columnsWithout({ fineGrainedLineages }: Value, dataset: string): Value {
  if (!Array.isArray(fineGrainedLineages)) return {};
  const isColumn = columnOf(dataset);
  const rest = fineGrainedLineages.flatMap((lineage: { upstreams?: string[]; downstreams?: string[] }) => {
    const next = { ...lineage };
    for (const side of ['upstreams', 'downstreams'] as const) {
      const urns = lineage[side];
      if (urns === undefined) continue;
      next[side] = urns.filter((urn) => urn !== dataset && !isColumn(urn));
      if (urns.length > 0 && next[side].length === 0) return [];
    }
    return [next];
  });
  return { fineGrainedLineages: rest };
}
