import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, removeHome } from '../../harness/catalog.js';
import { ROOT, ServiceProcess } from '../../harness/service-process.js';

const SETTINGS = join(ROOT, 'test/e2e/openapi/fuzz');
const SEED = '20260101';

/** A sample of each document: all operations of a kind, on entities and aspects of different sorts. */
const SAMPLES: Array<[document: string, operations: string, examples: number]> = [
  ['entities-v3-core', '^[a-zA-Z]+V3(Tag|TagTagProperties|TagStatus)$', 10],
  [
    'entities-v3-core',
    '^[a-zA-Z]+V3(DatasetGlobalTags|DatasetDatasetProfile|StructuredPropertyPropertyDefinition)$',
    10,
  ],
  ['entities-v2-core', '^[a-zA-Z]+V2(Tag|TagTagProperties)$', 10],
];

/** Every request that schemathesis makes of a document is answered as the document says. */
describe('schemathesis on the served documents', () => {
  let home: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-fuzz-'));
    service = await ServiceProcess.start(home);
  });
  afterAll(async () => {
    await service?.stop();
    await removeHome(home);
  });

  it.each(SAMPLES)(
    '%s: %s',
    async (document, operations, examples) => {
      const url = `${service.url}/openapi/v3/api-docs/${document}`;
      const { code, output } = await schemathesis(url, operations, examples, home);
      if (code !== 0) throw new Error(`schemathesis ended with ${code}:\n${output.slice(-20_000)}`);
      const [, generated, passed] = /(\d+) generated, (\d+) passed/.exec(output) ?? [];
      expect(Number(generated)).toBeGreaterThan(1000);
      expect(passed).toBe(generated);
    },
    600_000,
  );
});

/** Runs the program that SCHEMATHESIS names. The seed and the number of examples make runs alike. */
function schemathesis(
  url: string,
  operations: string,
  examples: number,
  folder: string,
): Promise<{ code: number; output: string }> {
  const program = process.env['SCHEMATHESIS'];
  if (!program) throw new Error('SCHEMATHESIS must name the program schemathesis (version 4)');
  const parameters = [
    ...['--config-file', join(SETTINGS, 'schemathesis.toml'), 'run', url],
    ...['--phases', 'examples,coverage,fuzzing', '--include-operation-id-regex', operations],
    ...['--seed', SEED, '--max-examples', String(examples), '--generation-database', 'none'],
    ...['--request-timeout', '60', '--suppress-health-check', 'all', '--no-color'],
    ...['--header', `Authorization: Bearer ${ADMIN_TOKEN}`],
  ];
  const environment = {
    ...process.env,
    SCHEMATHESIS_HOOKS: join(SETTINGS, 'valid_requests.py'),
    PYTHONDONTWRITEBYTECODE: '1',
    NO_PROXY: '*',
    no_proxy: '*',
  };
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: environment, maxBuffer: 1e8 };
    execFile(program, parameters, options, (error, stdout, stderr) => {
      const output = stdout + stderr;
      if (!error) resolve({ code: 0, output });
      else if (typeof error.code === 'number') resolve({ code: error.code, output });
      else reject(new Error(`${program} could not be run: ${error.message}`));
    });
  });
}
