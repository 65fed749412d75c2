import { at, list } from '../entity/facts.js';
import { endOf, type ColumnEnd, type NodeColumns } from './graph.js';

interface Aspect {
  aspectName: string;
  payload: string | null;
}

const ends = (value: unknown): ColumnEnd[] =>
  list(value)
    .filter((one) => typeof one === 'string')
    .map(endOf);

/** Reads columns and their lineage from the aspects that have them. */
export function columnsOf(urn: string, aspects: readonly Aspect[]): NodeColumns {
  const values = new Map(
    aspects.map(({ aspectName, payload }) => [aspectName, JSON.parse(payload ?? 'null') as unknown]),
  );
  const paths = list(at(values.get('schemaMetadata'), 'fields')).map((field) =>
    String(at(field, 'fieldPath')),
  );
  const flows: Array<{ from: ColumnEnd; to: ColumnEnd }> = [];
  for (const one of list(at(values.get('upstreamLineage'), 'fineGrainedLineages'))) {
    const made = ends(at(one, 'downstreams'));
    for (const from of ends(at(one, 'upstreams'))) for (const to of made) flows.push({ from, to });
  }
  // A task stands between what it reads and what it writes.
  for (const one of list(at(values.get('dataJobInputOutput'), 'fineGrainedLineages'))) {
    for (const from of ends(at(one, 'upstreams'))) flows.push({ from, to: { urn } });
    for (const to of ends(at(one, 'downstreams'))) flows.push({ from: { urn }, to });
  }
  return { paths, flows };
}
