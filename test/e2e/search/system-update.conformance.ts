import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../../../src/cli/run.js';
import { VARIABLES } from '../../../src/config/variables.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';

const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;

/** Building the index anew beside the one in use, whatever the engine. */
export function systemUpdateConformance(name: string, environment: () => Record<string, string>): void {
  describe(`system update: ${name}`, () => {
    let catalog: TestCatalog;

    const names = Array.from({ length: 300 }, (_, i) => `table${i}`);
    const progress = async (from = 0) =>
      (await catalog.post('/operations?action=systemUpdateProgress', { from })).body.value as {
        running: boolean;
        lines: string[];
        failed?: string;
      };
    const total = async (input: string) => (await catalog.search('dataset', input)).numEntities as number;

    beforeAll(async () => {
      catalog = await TestCatalog.start(environment());
      await catalog.ingest(
        ...names.map((n) => [urn(n), 'datasetProperties', { name: n }] as [string, string, unknown]),
      );
      await catalog.post('/entities?action=delete', { urn: urn('table0') });
    });
    afterAll(() => catalog.stop());

    it('builds anew while writes and searches go on, and loses none of them', async () => {
      expect(await total('*')).toBe(299);
      const started = await catalog.post('/operations?action=systemUpdate', { mappingsReindex: true });
      expect(started.body.value).toEqual({ started: true });
      expect((await catalog.post('/operations?action=systemUpdate', {})).body.value).toEqual({
        started: false,
      });
      let written = 0;
      await until(async () => {
        const fresh = `fresh${written++}`;
        await catalog.ingest([urn(fresh), 'datasetProperties', { name: fresh }]);
        await catalog.ingest([urn(`table${written + 10}`), 'datasetProperties', { name: `moved${written}` }]);
        // On servers, what the engine was busy with for a moment is found a moment later.
        await until(async () => (await total(fresh)) > 0);
        await until(async () => (await total('*')) === 299 + written);
        return !(await progress()).running;
      });
      const { failed, lines } = await progress();
      expect(failed).toBeUndefined();
      expect(lines.at(-1)).toBe('done');
      // There is one process: nothing else takes the build that the update has begun.
      expect(lines.join('\n')).not.toContain('another process');
      expect(lines.join('\n')).toContain('the sums of store and index agree');
      expect(await total('*')).toBe(299 + written);
      for (let i = 0; i < written; i++) expect(await total(`fresh${i}`)).toBeGreaterThan(0);
      const report = await catalog.post('/operations?action=verify', {});
      const { remaining, differingBuckets, entities, documents } = report.body.value;
      expect({ remaining, differingBuckets, documents }).toEqual({
        remaining: 0,
        differingBuckets: 0,
        documents: entities,
      });
      await catalog.ingest([urn('after'), 'datasetProperties', { name: 'after' }]);
      expect(await total('after')).toBe(1);
    });

    it('is begun by a command, which reports and waits', async () => {
      const lines: string[] = [];
      const terminal = {
        out: () => undefined,
        err: (line: string) => void lines.push(line),
        interactive: false,
      };
      const to = ['--server', catalog.url, '--token', ADMIN_TOKEN];
      expect(await run(['system-update', ...to], terminal)).toBe(0);
      expect(lines.splice(0).join()).toContain('nothing to do');
      process.env[VARIABLES.mappingsReindex.name] = 'true';
      process.env[VARIABLES.structuredPropertiesUpdate.name] = 'true';
      try {
        expect(await run(['system-update', ...to], terminal)).toBe(0);
      } finally {
        delete process.env[VARIABLES.mappingsReindex.name];
        delete process.env[VARIABLES.structuredPropertiesUpdate.name];
      }
      expect(lines.join('\n')).not.toContain('another process');
      expect(lines.join('\n')).toMatch(
        /from the store as of change \d+ .*100 %.*sums of store and index agree.*done/s,
      );
      expect(await total('*')).toBeGreaterThan(299);
    });

    it('leaves no job behind, as the command for jobs says', async () => {
      const said: string[] = [];
      const terminal = {
        out: (line: string) => void said.push(line),
        err: (line: string) => void said.push(line),
        interactive: false,
      };
      const to = ['--server', catalog.url, '--token', ADMIN_TOKEN];
      expect(await run(['jobs', 'list', '--queue', 'system-update', ...to], terminal)).toBe(0);
      expect(said.splice(0)).toEqual(['system-update: no jobs']);
      expect(await run(['jobs', 'retry', ...to], terminal)).toBe(0);
      expect(said.splice(0)).toEqual(['0 jobs are put back']);
      expect(await run(['jobs', 'list', '--json', ...to], terminal)).toBe(0);
      expect(Object.keys(JSON.parse(said.splice(0).join('\n')).queues)).toEqual(
        expect.arrayContaining(['property-removal', 'search-index', 'system-update']),
      );
      expect(await run(['jobs', 'list', '--queue', 'nowhere', ...to], terminal)).toBe(1);
      expect(said.splice(0).join()).toContain('there is no queue "nowhere"');
      expect(await run(['jobs', 'mend', ...to], terminal)).toBe(2);
    });

    it('is for administrators', async () => {
      const { token } = await catalog.issueToken({ role: 'EDITOR' });
      for (const action of ['systemUpdate', 'systemUpdateProgress', 'listJobs', 'retryJobs']) {
        expect((await catalog.post(`/operations?action=${action}`, {}, { token })).status).toBe(403);
      }
    });
  });
}
