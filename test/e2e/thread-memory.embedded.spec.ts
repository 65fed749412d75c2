import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { removeHome } from '../harness/catalog.js';
import { ServiceProcess } from '../harness/service-process.js';

/** Read by Node before the service: says the most that the heap of each thread may grow to, in megabytes. */
const TELLS = `
  import threads from 'node:worker_threads';
  import { syncBuiltinESMExports } from 'node:module';
  threads.Worker = class extends threads.Worker {
    constructor(source, options) {
      super(source, options);
      this.once('online', async () => {
        const { heap_size_limit } = await this.getHeapStatistics();
        console.log('limit of ' + options.name + ': ' + heap_size_limit / 2 ** 20);
      });
    }
  };
  syncBuiltinESMExports();`;

let home: string;
let service: ServiceProcess;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'catalog-threads-'));
});
afterEach(async () => {
  await service.kill();
  await removeHome(home);
});

it('holds threads to their own limits, also where the command line gives one to the process', async () => {
  const preload = `data:text/javascript,${encodeURIComponent(TELLS)}`;
  service = await ServiceProcess.start(home, {
    NODE_OPTIONS: `--max-semi-space-size=16 --import=${preload}`,
  });
  const limit = Number(/limit of index writer: (\d+)/.exec(service.log)?.[1]);
  // 512 MB, and what V8 makes of 16 MB for young objects; the flag would make 48 MB of it.
  expect(limit).toBeGreaterThanOrEqual(512);
  expect(limit).toBeLessThan(512 + 48);
});
