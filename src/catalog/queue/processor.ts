import 'reflect-metadata';
import type { Job } from './job-queue.js';

/** What `@nestjs/bull` writes on the classes and methods that it decorates, and reads when an application starts. */
const QUEUE = 'bull:module_queue';
const PROCESS = 'bull:module_queue_process';

/** Carries out one job. A rejection counts as a failed attempt; the queue tries again with growing pauses. */
export type JobHandler = (job: Job) => Promise<void>;

/**
 * Marks a class whose `@Process` method carries out the jobs of `queue`, one at a time in each process.
 *
 * It writes the metadata of the decorator of the same name in `@nestjs/bull`. That package loads Bull and ioredis (30 MB,
 * 200 ms), which the embedded profile does without; so the explorer of `@nestjs/bull` finds these classes where there is
 * Redis, and {@link handlerOf} finds them where the queue is a table.
 */
export function Processor(queue: string): ClassDecorator {
  return (target) => Reflect.defineMetadata(QUEUE, { name: queue }, target);
}

/** Marks the method of a {@link Processor} that carries out a job: a {@link JobHandler}. */
export function Process(): MethodDecorator {
  return (_target, _name, descriptor) => {
    Reflect.defineMetadata(PROCESS, {}, descriptor.value as object);
  };
}

/** The queue and the handler of a processor; undefined for anything else. */
export function handlerOf(instance: unknown): { queue: string; handler: JobHandler } | undefined {
  if (typeof instance !== 'object' || typeof instance?.constructor !== 'function') return undefined;
  const queue = (Reflect.getMetadata(QUEUE, instance.constructor) as { name: string } | undefined)?.name;
  if (queue === undefined) return undefined;
  const prototype = Object.getPrototypeOf(instance) as object;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (typeof method === 'function' && Reflect.hasMetadata(PROCESS, method))
      return { queue, handler: (method as JobHandler).bind(instance) };
  }
  throw new Error(`${instance.constructor.name} has no method with @Process`);
}
