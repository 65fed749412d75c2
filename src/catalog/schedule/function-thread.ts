import { Worker, type ResourceLimits } from 'node:worker_threads';

/**
 * Runs a function in a thread of its own, which does not keep the process alive. The function is sent as text: so it is found
 * wherever its module ends up in the build, and loads nothing of the service. It can use nothing from outside itself.
 * @param args JSON values
 */
export function functionThread<A extends ReadonlyArray<string | number>>(
  program: (...args: A) => void,
  args: A,
  resourceLimits: ResourceLimits,
): Worker {
  const thread = new Worker(`(${program.toString()})(...${JSON.stringify(args)})`, {
    eval: true,
    execArgv: [],
    resourceLimits,
  });
  thread.unref();
  return thread;
}
