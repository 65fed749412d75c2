import { useCallback, useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ask } from '../api.js';
import {
  LineageColumnsDocument,
  LineageStartDocument,
  LineageStepDocument,
  type LineageDirection,
} from '../generated.js';
import { columnsOf } from './columns.js';
import { MOST, NOTHING, remaining, startOf, withStep, type LineageGraph, type NodeColumns } from './graph.js';

/** Neighbours that a click shows. */
const STEP = 50;
/** Questions under way at once. */
const AT_ONCE = 6;
const DIRECTIONS = ['UPSTREAM', 'DOWNSTREAM'] as const;

export interface Lineage {
  readonly graph: LineageGraph;
  readonly columns: ReadonlyMap<string, NodeColumns>;
  readonly busy: boolean;
  readonly error: Error | undefined;
  readonly expand: (urn: string, direction: LineageDirection) => void;
  /** Shows the neighbours of everything at the rim. */
  readonly expandAll: () => void;
  readonly toggleColumns: (urn: string) => void;
  /** Begins anew. */
  readonly restart: () => void;
}

/** The lineage around an entity, as far as it was asked for. */
export function useLineage(urn: string): Lineage {
  const client = useQueryClient();
  const graph = useRef(NOTHING);
  const [shown, setShown] = useState(NOTHING);
  const [columns, setColumns] = useState<ReadonlyMap<string, NodeColumns>>(new Map());
  const [working, setWorking] = useState(0);
  const [error, setError] = useState<Error>();

  /** Runs what asks the service, and shows what it found also when a part of it was refused. */
  const run = useCallback((work: () => Promise<unknown>) => {
    setWorking((count) => count + 1);
    setError(undefined);
    void work()
      .catch((problem: unknown) => setError(problem as Error))
      .finally(() => {
        setShown(graph.current);
        setWorking((count) => count - 1);
      });
  }, []);

  const step = useCallback(
    async (of: string, direction: LineageDirection) => {
      const start = graph.current.nodes.get(of)?.sides[direction].asked ?? 0;
      const { entity } = await client.fetchQuery({
        queryKey: ['lineage-step', of, direction, start],
        queryFn: ({ signal }) =>
          ask(LineageStepDocument, { urn: of, input: { direction, start, count: STEP } }, { signal }),
      });
      const found = (entity?.lineage?.relationships ?? []).flatMap((one) => (one.entity ? [one.entity] : []));
      graph.current = withStep(graph.current, of, direction, found);
    },
    [client],
  );

  const restart = useCallback(() => {
    run(async () => {
      const { entity } = await client.fetchQuery({
        queryKey: ['lineage-start', urn],
        queryFn: ({ signal }) => ask(LineageStartDocument, { urn }, { signal }),
      });
      graph.current = entity ? startOf(entity) : NOTHING;
      setColumns(new Map());
      await Promise.all(DIRECTIONS.map((direction) => step(urn, direction)));
    });
  }, [client, run, step, urn]);
  useEffect(restart, [restart]);

  const expand = useCallback(
    (of: string, direction: LineageDirection) => run(() => step(of, direction)),
    [run, step],
  );

  const expandAll = useCallback(
    () =>
      run(async () => {
        const rim = [...graph.current.nodes.values()].flatMap((node) =>
          DIRECTIONS.filter((direction) => remaining(graph.current, node, direction) > 0).map(
            (direction) => [node.urn, direction] as const,
          ),
        );
        for (let at = 0; at < rim.length && graph.current.nodes.size < MOST; at += AT_ONCE)
          await Promise.all(rim.slice(at, at + AT_ONCE).map(([of, direction]) => step(of, direction)));
      }),
    [run, step],
  );

  const toggleColumns = useCallback(
    (of: string) => {
      if (columns.has(of)) {
        setColumns(new Map([...columns].filter(([other]) => other !== of)));
        return;
      }
      run(async () => {
        const { entity } = await client.fetchQuery({
          queryKey: ['lineage-columns', of],
          queryFn: ({ signal }) => ask(LineageColumnsDocument, { urn: of }, { signal }),
        });
        const found = columnsOf(of, entity?.aspects ?? []);
        setColumns((old) => new Map([...old, [of, found]]));
      });
    },
    [client, columns, run],
  );

  return { graph: shown, columns, busy: working > 0, error, expand, expandAll, toggleColumns, restart };
}
