import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { ROOT } from '../../harness/service-process.js';
import { until } from '../../harness/until.js';

/** Runs a subscriber of `examples/`, kills it, writes on, and starts it again: it must print every event. */
export async function checkSubscriber(program: string, file: string): Promise<void> {
  const catalog = await TestCatalog.start();
  const folder = await mkdtemp(join(tmpdir(), 'catalog-subscriber-'));
  const printed = { text: '' };
  const start = () => {
    const child = spawn(program, [join(ROOT, 'examples', file)], {
      cwd: folder,
      env: {
        ...process.env,
        CATALOG_URL: catalog.url,
        CATALOG_TOKEN: ADMIN_TOKEN,
        CURSOR_FILE: join(folder, 'cursor'),
        no_proxy: '*',
      },
    });
    child.stdout.on('data', (data: Buffer) => (printed.text += data.toString()));
    return child;
  };
  const write = (name: string) => catalog.propose(`urn:li:tag:${name}`, 'tagProperties', { name });
  const isTold = (name: string) => until(async () => printed.text.includes(`urn:li:tag:${name}`));
  let child = start();
  try {
    // It begins at the end of the log, whenever it is there.
    let probes = 0;
    await until(async () => {
      await write(`probe${probes++}`);
      return printed.text.includes('urn:li:tag:probe');
    });
    await write('one');
    await isTold('one');
    child.kill('SIGKILL');
    await write('two');
    child = start();
    await isTold('two');
    await write('three');
    await isTold('three');
    expect(printed.text).toMatch(/entityChangeEvent \{"entityUrn":"urn:li:tag:one".*"CREATE"/);
  } finally {
    child.kill('SIGKILL');
    await catalog.stop();
    await rm(folder, { recursive: true });
  }
}
