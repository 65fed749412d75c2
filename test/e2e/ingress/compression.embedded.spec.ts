import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../harness/catalog.js';
import { ServiceProcess } from '../../harness/service-process.js';

describe('the coding of answers of the program as it is started', () => {
  let home: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-coding-'));
    service = await ServiceProcess.start(home);
  });
  afterAll(async () => {
    await service.kill();
    await rm(home, { recursive: true, force: true });
  });

  it.each(['gzip', 'br'])('is %s where the client accepts that', async (coding) => {
    const description = 'long '.repeat(1000);
    const answer = await fetch(`${service.url}/openapi/v3/entity/tag?async=false`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        'content-type': 'application/json',
        'accept-encoding': coding,
      },
      body: JSON.stringify([
        { urn: 'urn:li:tag:long', tagProperties: { value: { name: 'long', description } } },
      ]),
    });
    expect(answer.headers.get('content-encoding')).toBe(coding);
    expect(await answer.text()).toContain(description);
  });
});
