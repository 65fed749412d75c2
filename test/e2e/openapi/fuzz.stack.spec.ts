import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenapiDocument } from '../../../src/modules/openapi/document/openapi-types.js';
import { ADMIN_TOKEN, removeHome } from '../../harness/catalog.js';
import { ROOT, ServiceProcess } from '../../harness/service-process.js';
import { distinctOperations } from './fuzz/distinct-operations.js';

const SETTINGS = join(ROOT, 'test/e2e/openapi/fuzz');
const SEED = '20260101';

/** Operations of which every boundary of every parameter and member is tried, on entities and aspects of different sorts. */
const THOROUGH: Array<[document: string, operations: string]> = [
  ['entities-v3-core', '^[a-zA-Z]+V3(Tag|TagTagProperties|TagStatus)$'],
  [
    'entities-v3-core',
    '^[a-zA-Z]+V3(DatasetGlobalTags|DatasetDatasetProfile|StructuredPropertyPropertyDefinition)$',
  ],
  ['entities-v2-core', '^[a-zA-Z]+V2(Tag|TagTagProperties)$'],
  ['across-entities', '.'],
  ['aspect-api', '.'],
];

/** Documents of which every operation of a shape of its own is tried. */
const ENTITY_DOCUMENTS = ['core', 'pipelines', 'more'].flatMap((part) => [
  `entities-v3-${part}`,
  `entities-v2-${part}`,
]);

/** Every request that schemathesis makes of a document is answered as the document says. */
describe('schemathesis on the served documents', () => {
  let home: string;
  let service: ServiceProcess;
  const seen = new Set<string>();
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-fuzz-'));
    service = await ServiceProcess.start(home);
    // The examples of values are of this property.
    const property = 'urn:li:structuredProperty:io.acme.retentionTime';
    const { status } = await service.post(
      `/openapi/v3/entity/structuredProperty/${encodeURIComponent(property)}/propertyDefinition`,
      {
        value: {
          qualifiedName: 'io.acme.retentionTime',
          valueType: 'urn:li:dataType:platform.number',
          cardinality: 'MULTIPLE',
          entityTypes: ['urn:li:entityType:platform.dataset'],
        },
      },
    );
    expect(status).toBe(200);
  });
  afterAll(async () => {
    await service?.stop();
    await removeHome(home);
  });

  const run = async (document: string, operations: string, phases: string, examples: number) => {
    const url = `${service.url}/openapi/v3/api-docs/${document}`;
    const { code, output } = await schemathesis(url, operations, phases, examples, home);
    if (code !== 0) throw new Error(`schemathesis ended with ${code}:\n${output.slice(-20_000)}`);
    const [, generated, passed] = /(\d+) generated, (\d+) passed/.exec(output) ?? [];
    expect(passed).toBe(generated);
    return { generated: Number(generated), tested: Number(/Tested: (\d+)/.exec(output)?.[1]) };
  };

  it.each(THOROUGH)(
    'every boundary of %s: %s',
    async (document, operations) => {
      const { generated } = await run(document, operations, 'examples,coverage,fuzzing', 10);
      expect(generated).toBeGreaterThan(1000);
    },
    600_000,
  );

  it.each(ENTITY_DOCUMENTS)(
    'every shape of %s',
    async (name) => {
      const answer = await fetch(`${service.url}/openapi/v3/api-docs/${name}`);
      const ids = distinctOperations((await answer.json()) as OpenapiDocument, seen);
      expect(ids.length).toBeGreaterThan(10);
      const { tested } = await run(name, `^(${ids.join('|')})$`, 'examples,fuzzing', 1);
      expect(tested).toBe(ids.length);
    },
    600_000,
  );
});

/** Runs the program that SCHEMATHESIS names. The seed and the number of examples make runs alike. */
function schemathesis(
  url: string,
  operations: string,
  phases: string,
  examples: number,
  folder: string,
): Promise<{ code: number; output: string }> {
  const program = process.env['SCHEMATHESIS'];
  if (!program) throw new Error('SCHEMATHESIS must name the program schemathesis (version 4)');
  const parameters = [
    ...['--config-file', join(SETTINGS, 'schemathesis.toml'), 'run', url],
    ...['--phases', phases, '--include-operation-id-regex', operations],
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
