import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, proposal, removeHome } from '../../harness/catalog.js';
import { ServiceProcess } from '../../harness/service-process.js';
import { until } from '../../harness/until.js';
import { dataset } from '../aspect-api/support.js';

describe('a system update whose process is killed', () => {
  let home: string;
  let service: ServiceProcess;
  const operation = async (action: string, parameters: object = {}): Promise<any> => {
    const response = await fetch(`${service.url}/${action}`, {
      method: 'POST',
      body: JSON.stringify(parameters),
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        'content-type': 'application/json',
        'x-restli-protocol-version': '2.0.0',
      },
    });
    const body = (await response.json()) as { value: unknown };
    expect({ status: response.status, body }).toMatchObject({ status: 200 });
    return body.value;
  };
  const progress = () => operation('operations?action=systemUpdateProgress');

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-update-'));
    service = await ServiceProcess.start(home);
  });
  afterAll(async () => {
    await service.kill();
    await removeHome(home);
  });

  it('is known to the next process, which carries it out', async () => {
    expect(await progress()).toEqual({ running: false, state: 'none', lines: [], next: 0 });
    const proposals = Array.from({ length: 1000 }, (_, i) =>
      proposal(dataset(`updated${i}`), 'datasetProperties', { name: `updated${i}` }),
    );
    await operation('aspects?action=ingestProposalBatch', { proposals });
    expect(await operation('operations?action=systemUpdate', { mappingsReindex: true })).toEqual({
      started: true,
    });
    await service.kill();

    service = await ServiceProcess.start(home);
    await until(async () => !(await progress()).running);
    const { state, lines, failed } = await progress();
    expect({ state, failed }).toEqual({ state: 'done', failed: undefined });
    expect(lines.at(-1)).toBe('done');
    const { remaining, documents, entities } = await operation('operations?action=verify');
    expect({ remaining, documents }).toEqual({ remaining: 0, documents: entities });
    // The first process may have been killed between its last line and the end of its job: the queue delivers it again.
    const jobs = async () => (await operation('operations?action=listJobs')).queues['system-update'];
    await until(async () => Object.values(await jobs()).every((count) => count === 0));
  });
});
