import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';

/** The part of the heap that may be used before requests are shed: there must be room for those under way. */
const HEAP_SHARE = 0.9;

/**
 * Watches the event loop and the heap, once a second.
 * @param delayMs the mean delay of the event loop from which on there is too much to do
 * @returns says what there is too much of; undefined when there is not
 */
export function watchPressure(server: FastifyInstance, delayMs: number): () => string | undefined {
  const heap = Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE);
  // It only measures: with limits of its own it would look at the options of the route for every request, which costs
  // more than the rest of the admission, and who is shed is decided there.
  void server.register(underPressure);
  return () => {
    const { eventLoopDelay, heapUsed } = server.memoryUsage();
    if (heapUsed > heap) return `the process uses ${heapUsed} bytes of its heap, more than ${heap}`;
    if (eventLoopDelay <= delayMs) return undefined;
    // Infinite when the loop did not turn once between two looks.
    const waited = Number.isFinite(eventLoopDelay) ? `${Math.round(eventLoopDelay)} ms ` : '';
    return `requests wait ${waited}for the event loop, more than ${delayMs}`;
  };
}
