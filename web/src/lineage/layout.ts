import { useEffect, useState } from 'react';
import type { Drawing } from './boxes.js';

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface LayoutQuestion {
  readonly round: number;
  readonly boxes: ReadonlyArray<readonly [id: string, height: number]>;
  readonly lines: ReadonlyArray<readonly [source: string, target: string]>;
}

export interface LayoutAnswer {
  readonly round: number;
  readonly places: ReadonlyArray<readonly [id: string, place: Place]>;
}

/** A drawing with the places of its boxes. */
export interface Placed extends Drawing {
  readonly places: ReadonlyMap<string, Place>;
}

/** Where the boxes of a drawing belong; the drawing before it until this is known. */
export function usePlaced(drawing: Drawing): Placed | undefined {
  const [placed, setPlaced] = useState<Placed>();
  const [worker, setWorker] = useState<Worker>();
  useEffect(() => {
    const made = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    setWorker(made);
    return () => made.terminate();
  }, []);
  useEffect(() => {
    if (!worker || drawing.boxes.length === 0) return undefined;
    const round = performance.now();
    const take = ({ data }: MessageEvent<LayoutAnswer>) => {
      if (data.round === round) setPlaced({ ...drawing, places: new Map(data.places) });
    };
    worker.addEventListener('message', take);
    worker.postMessage({
      round,
      boxes: drawing.boxes.map(({ id, height }) => [id, height] as const),
      lines: drawing.lines.map(({ source, target }) => [source, target] as const),
    } satisfies LayoutQuestion);
    return () => worker.removeEventListener('message', take);
  }, [worker, drawing]);
  return placed;
}
