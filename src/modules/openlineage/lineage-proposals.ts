import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ChangeProposal, Edit } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import { eachInSteps, mapInSlices, TimeSlices } from '../../catalog/schedule/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { columnUrn } from '../../catalog/urn/index.js';
import type { LineageDataset, LineageEvent, LineageJob } from './lineage-event.js';
import { mergeEdges, mergeInfo, namesOneOf, union, type EdgesOfEvent } from './lineage-merge.js';
import { datasetNames, jobNames, orchestratorOf } from './lineage-names.js';

type Value = Record<string, unknown>;
type Merge = (current: Value | undefined) => Value | undefined | Promise<Value>;

/** Results of runs, by the type of the event that ends them. */
const RESULTS: Readonly<Record<string, string>> = { COMPLETE: 'SUCCESS', FAIL: 'FAILURE', ABORT: 'FAILURE' };
/** Said of column lineage that a tool derived. */
const CONFIDENCE = 0.5;
/** Schemas that came with an event are told from those of crawlers by their hash. */
const HASH_PREFIX = 'openlineage:';

/** URNs of what an event is about. */
interface JobUrns {
  readonly flow: string;
  readonly job: string;
  readonly instance: string | undefined;
}

/** Turns events into change proposals. Every one reads the current value and merges, so events may repeat or come late. */
@Injectable()
export class LineageProposals {
  constructor(private readonly model: Model) {}

  /**
   * @param actor URN of the user who sent the event
   * @throws CatalogError PARAMETER_INVALID, URN_MALFORMED, with pointers into the event
   */
  async of(event: LineageEvent, actor: string): Promise<ChangeProposal[]> {
    const time = Date.parse(event.eventTime);
    const stamp = { time, actor };
    const ofDatasets = async (datasets: readonly LineageDataset[] = [], at: string) =>
      (await mapInSlices(datasets, (dataset, i) => this.ofDataset(dataset, stamp, `${at}/${i}`))).flat();
    const proposals = [
      ...(event.dataset === undefined ? [] : this.ofDataset(event.dataset, stamp, '/dataset')),
      ...(await ofDatasets(event.inputs, '/inputs')),
      ...(await ofDatasets(event.outputs, '/outputs')),
    ];
    if (event.job === undefined) return proposals;
    return [...proposals, ...(await this.ofJob(event, event.job, stamp))];
  }

  private ofDataset(
    dataset: LineageDataset,
    stamp: { time: number; actor: string },
    at: string,
  ): ChangeProposal[] {
    const urn = this.datasetUrn(dataset);
    const { key } = this.model.keyFromUrn(toUrn(urn, at));
    const exists = this.write(urn, 'datasetKey', key, at);
    const fields = dataset.facets?.schema?.fields ?? [];
    if (fields.length === 0) return [exists];
    const schema = schemaOf(dataset, String(key['platform']), stamp);
    return [
      exists,
      // A crawler knows a schema better than an event.
      this.merge(urn, 'schemaMetadata', at, (current) =>
        current === undefined || String(current['hash']).startsWith(HASH_PREFIX) ? schema : undefined,
      ),
    ];
  }

  private async ofJob(
    event: LineageEvent,
    job: LineageJob,
    stamp: { time: number; actor: string },
  ): Promise<ChangeProposal[]> {
    const { run } = event;
    const orchestrator = orchestratorOf(event);
    const names = jobNames(job.name);
    const urns = this.jobUrns(orchestrator, names.flow, job, run?.runId);
    const { documentation, jobType, sql } = job.facets ?? {};
    const engine = run?.facets?.processing_engine;
    const customProperties = {
      ...(event.eventType === 'START' && { startTime: event.eventTime }),
      ...(event.eventType !== undefined && RESULTS[event.eventType] && { endTime: event.eventTime }),
      ...(engine?.name && { processingEngine: engine.name }),
      ...(engine?.version && { processingEngineVersion: engine.version }),
      ...(jobType?.processingType && { processingType: jobType.processingType }),
    };
    const lastModified = { time: stamp.time };
    const info = {
      name: names.display,
      type: { string: jobType?.jobType ?? 'UNKNOWN' },
      flowUrn: urns.flow,
      ...(documentation?.description && { description: documentation.description }),
      customProperties,
      lastModified,
    };
    const owner = urns.instance ?? urns.job;
    const edges = async (datasets: readonly LineageDataset[] = []): Promise<EdgesOfEvent> => ({
      targets: await mapInSlices(datasets, (dataset) => this.datasetUrn(dataset)),
      run: owner,
      ...stamp,
    });
    const inputs = await edges(event.inputs);
    const outputs = await edges(event.outputs);
    const columns = (await mapInSlices(event.outputs ?? [], (output) => this.columnLineage(output))).flat();
    return [
      this.merge(urns.flow, 'dataFlowInfo', '/job', (current) =>
        mergeInfo(current, { name: names.flow, customProperties: {}, lastModified }),
      ),
      this.merge(urns.job, 'dataJobInfo', '/job', (current) => mergeInfo(current, info)),
      this.merge(urns.job, 'dataJobInputOutput', '/job', (current) =>
        mergeInputOutput(current, inputs, outputs, columns),
      ),
      ...(sql === undefined ? [] : [this.write(urns.job, 'dataTransformLogic', logicOf(sql.query), '/job')]),
      ...(urns.instance === undefined
        ? []
        : this.ofRun(event, { ...urns, instance: urns.instance }, orchestrator, { inputs, outputs })),
    ];
  }

  private ofRun(
    event: LineageEvent,
    { instance, job }: { instance: string; job: string },
    orchestrator: string,
    { inputs, outputs }: { inputs: EdgesOfEvent; outputs: EdgesOfEvent },
  ): ChangeProposal[] {
    const { time, actor } = inputs;
    const { runId = '', facets } = event.run ?? {};
    const parent = facets?.parent?.run.runId;
    const proposals = [
      this.merge(instance, 'dataProcessInstanceProperties', '/run', (current) => ({
        ...current,
        name: runId,
        created: earlier(current?.['created'], { time, actor }),
      })),
      this.merge(instance, 'dataProcessInstanceRelationships', '/run', (current) => ({
        upstreamInstances: [],
        ...current,
        parentTemplate: job,
        ...(parent !== undefined && { parentInstance: instanceUrn(parent) }),
      })),
    ];
    for (const [aspect, list, edgeList, edges] of [
      ['dataProcessInstanceInput', 'inputs', 'inputEdges', inputs],
      ['dataProcessInstanceOutput', 'outputs', 'outputEdges', outputs],
    ] as const) {
      if (edges.targets.length === 0) continue;
      proposals.push(
        this.merge(instance, aspect, '/run', async (current) => ({
          ...current,
          [list]: union(current?.[list], edges.targets),
          [edgeList]: await new TimeSlices().run(mergeEdges(current?.[edgeList], edges)),
        })),
      );
    }
    const { eventType } = event;
    if (eventType === undefined || eventType === 'OTHER') return proposals;
    const result = RESULTS[eventType];
    const runEvent = {
      timestampMillis: time,
      status: result === undefined ? 'STARTED' : 'COMPLETE',
      // Events of one moment are told apart, and one that is sent twice is one.
      messageId: eventType,
      ...(result !== undefined && { result: { type: result, nativeResultType: orchestrator } }),
    };
    return [...proposals, this.write(instance, 'dataProcessInstanceRunEvent', runEvent, '/run')];
  }

  private columnLineage(output: LineageDataset): Value[] {
    return Object.entries(output.facets?.columnLineage?.fields ?? {}).map(
      ([column, { inputFields, transformationType }]) => {
        const operations = inputFields.flatMap(({ transformations }) =>
          (transformations ?? []).map(({ type, subtype }) => (subtype ? `${type}:${subtype}` : type)),
        );
        const operation = operations.length > 0 ? [...new Set(operations)].join(',') : transformationType;
        return {
          upstreamType: 'FIELD_SET',
          upstreams: inputFields.map((input) => columnUrn(this.datasetUrn(input), input.field)),
          downstreamType: 'FIELD_SET',
          downstreams: [columnUrn(this.datasetUrn(output), column)],
          confidenceScore: CONFIDENCE,
          ...(operation && { transformOperation: operation }),
        };
      },
    );
  }

  private jobUrns(
    orchestrator: string,
    flowName: string,
    job: LineageJob,
    runId: string | undefined,
  ): JobUrns {
    const flow = `urn:li:dataFlow:(${part(orchestrator)},${part(flowName)},${part(job.namespace)})`;
    return {
      flow,
      job: `urn:li:dataJob:(${flow},${part(job.name)})`,
      instance: runId === undefined ? undefined : instanceUrn(runId),
    };
  }

  private datasetUrn(dataset: LineageDataset): string {
    const { platform, name } = datasetNames(dataset);
    return `urn:li:dataset:(urn:li:dataPlatform:${part(platform)},${part(name)},PROD)`;
  }

  private write(urn: string, aspect: string, value: Value, at: string): ChangeProposal {
    return { ...this.target(urn, aspect, at), changeType: 'UPSERT', value };
  }

  private merge(urn: string, aspect: string, at: string, merge: Merge): ChangeProposal {
    const edit: Edit = { apply: async (current) => merge(current) };
    return { ...this.target(urn, aspect, at), changeType: 'PATCH', edit };
  }

  private target(text: string, name: string, at: string) {
    const urn = toUrn(text, at);
    const entity = this.model.entities.get(urn.type);
    const aspect = entity?.aspects.get(name) ?? (entity?.key.name === name ? entity.key : undefined);
    if (entity === undefined || aspect === undefined)
      throw refuse('ENTITY_UNKNOWN', `the model has no ${name} of ${urn.type}`, at);
    return { entity, urn, aspect, systemMetadata: {}, pointer: at, valuePointer: '' };
  }
}

/** Of a job with very many columns in slices: it is made in a transaction. */
async function mergeInputOutput(
  current: Value | undefined,
  inputs: EdgesOfEvent,
  outputs: EdgesOfEvent,
  columns: readonly Value[],
): Promise<Value> {
  const slices = new TimeSlices();
  const inputEdges = await slices.run(mergeEdges(current?.['inputDatasetEdges'], inputs));
  const outputEdges = await slices.run(mergeEdges(current?.['outputDatasetEdges'], outputs));
  const known = new Map<string, Value>();
  const keep = (one: Value): void => void known.set(String(one['downstreams']), one);
  await slices.run(eachInSteps((current?.['fineGrainedLineages'] as Value[] | undefined) ?? [], keep));
  await slices.run(eachInSteps(columns, keep));
  // Lineage of a column goes with the edge of its dataset.
  const isOfOutput = namesOneOf(outputEdges.map(({ destinationUrn }) => destinationUrn));
  const lineages: Value[] = [];
  const addHeld = (one: Value): void => {
    if ((one['downstreams'] as string[] | undefined)?.some(isOfOutput)) lineages.push(one);
  };
  await slices.run(eachInSteps(known.values(), addHeld));
  return {
    inputDatasets: [],
    outputDatasets: [],
    ...current,
    inputDatasetEdges: inputEdges,
    outputDatasetEdges: outputEdges,
    ...((lineages.length > 0 || current?.['fineGrainedLineages'] !== undefined) && {
      fineGrainedLineages: lineages,
    }),
  };
}

function earlier(known: unknown, stamp: { time: number; actor: string }) {
  const before = known as { time: number; actor: string } | undefined;
  return before !== undefined && before.time <= stamp.time ? before : stamp;
}

function logicOf(query: string): Value {
  return { transforms: [{ queryStatement: { value: query, language: 'SQL' } }] };
}

function schemaOf(dataset: LineageDataset, platform: string, stamp: { time: number; actor: string }): Value {
  const fields = (dataset.facets?.schema?.fields ?? []).map(({ name, type = '', description }) => ({
    fieldPath: name,
    nullable: false,
    type: { type: { [`com.linkedin.schema.${columnType(type)}`]: {} } },
    nativeDataType: type,
    ...(description && { description }),
    recursive: false,
    isPartOfKey: false,
  }));
  const digest = createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 16);
  return {
    schemaName: datasetNames(dataset).name,
    platform,
    version: 0,
    hash: HASH_PREFIX + digest,
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    created: stamp,
    lastModified: stamp,
    fields,
  };
}

const COLUMN_TYPES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(array|list)/, 'ArrayType'],
  [/^map/, 'MapType'],
  [/^(struct|record|row)/, 'RecordType'],
  [/^(n?var)?char|^string|^(tiny|medium|long)?text|^uuid|^json|^clob|^enum/, 'StringType'],
  [
    /^(tiny|small|medium|big)?int|^(u?int\d*|long|short|byte|float|double|real|decimal|numeric|number|serial)/,
    'NumberType',
  ],
  [/^bool/, 'BooleanType'],
  [/^(timestamp|datetime|time)/, 'TimeType'],
  [/^date/, 'DateType'],
  [/^(var)?binary|^bytes|^blob|^bytea/, 'BytesType'],
];

/** The type of a column by what its platform calls it. */
function columnType(native: string): string {
  const name = native.toLowerCase();
  return COLUMN_TYPES.find(([pattern]) => pattern.test(name))?.[1] ?? 'NullType';
}

const instanceUrn = (runId: string) => `urn:li:dataProcessInstance:${runId}`;

/** A part of a URN: what separates parts is encoded. */
function part(text: string): string {
  return text.replaceAll(/[(),%\u241f]/g, (sign) =>
    encodeURIComponent(sign).replace('(', '%28').replace(')', '%29'),
  );
}
