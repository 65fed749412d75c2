import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';

/** The part of the heap that may be used before requests are shed: there must be room for those under way. */
const HEAP_SHARE = 0.9;
/** The time between two looks at the event loop, in milliseconds. */
const LOOK_MS = 1000;

/**
 * Watches the event loop and the heap, once a second.
 * @param delayMs the mean delay of the event loop from which on requests are shed
 * @returns the reason to shed a request; undefined when there is none
 */
export function watchPressure(server: FastifyInstance, delayMs: number): () => string | undefined {
  const heap = Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE);
  // It only measures: with limits of its own it would look at the options of the route for every request, which costs
  // more than the rest of the admission, and who is shed is decided there.
  void server.register(underPressure, { sampleInterval: LOOK_MS });
  return () => {
    const { eventLoopDelay, heapUsed } = server.memoryUsage();
    if (heapUsed > heap) return `the process uses ${heapUsed} bytes of its heap, more than ${heap}`;
    // Infinite when the loop did not turn once between two looks: then requests waited as long as that, for all we know.
    const waited = Number.isFinite(eventLoopDelay) ? eventLoopDelay : LOOK_MS;
    if (waited < delayMs) return undefined;
    return `requests wait ${Math.round(waited)} ms for the event loop, and the limit is ${delayMs} ms`;
  };
}
