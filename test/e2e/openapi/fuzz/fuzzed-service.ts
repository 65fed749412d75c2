import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenapiDocument } from '../../../../src/modules/openapi/document/openapi-types.js';
import { removeHome, ADMIN_TOKEN } from '../../../harness/catalog.js';
import { ROOT, ServiceProcess } from '../../../harness/service-process.js';
import { stackOf } from '../../../harness/stack.js';

const SETTINGS = join(ROOT, 'test/e2e/openapi/fuzz');
const SEED = '20260101';

/**
 * Limit of one run in milliseconds, for a test that is about processor time: more than ten times what the longest takes on a
 * machine that does nothing else.
 */
export const RUN_LIMIT = 1_200_000;

/** How many requests of a run were made and how many answers were right, and how many operations it was about. */
export interface FuzzResult {
  generated: number;
  passed: number;
  tested: number;
}

/** Each of the requests is answered with what is there. */
const WAITS = { CATALOG_FEED_WAIT_MS: '0', CATALOG_FEED_STREAM_SECONDS: '0' };

/** What leaves a service without the servers that others are on. */
const EMBEDDED = { CATALOG_DATABASE_URL: '', CATALOG_REDIS_URL: '', CATALOG_SEARCH_URL: '' };

/**
 * A service that holds what the examples of its documents name, and schemathesis in front of it. On servers a service of the
 * embedded profile stands beside it: each request is made up once, sent to both, and both answers are held to all checks.
 */
export class FuzzedService {
  private constructor(
    private readonly home: string,
    private readonly services: ServiceProcess[],
  ) {}

  static async start(): Promise<FuzzedService> {
    const home = await mkdtemp(join(tmpdir(), 'catalog-fuzz-'));
    const starts = [ServiceProcess.start(home, WAITS)];
    if (stackOf() !== undefined)
      starts.push(ServiceProcess.start(join(home, 'embedded'), { ...WAITS, ...EMBEDDED }));
    const services = await Promise.all(starts);
    await Promise.all(services.map(defineExamples));
    return new FuzzedService(home, services);
  }

  async stop(): Promise<void> {
    for (const service of this.services) await service.stop();
    await removeHome(this.home);
  }

  /** A document as it is served, on every profile with the same bytes. */
  async document(name: string): Promise<OpenapiDocument> {
    const texts = await Promise.all(
      this.services.map(async ({ url }) => (await fetch(`${url}${pathOf(name)}`)).text()),
    );
    if (new Set(texts).size > 1) throw new Error(`the profiles serve different documents ${name}`);
    return JSON.parse(texts[0]!) as OpenapiDocument;
  }

  /** Every request that schemathesis makes of these operations must be answered as the document says. */
  async fuzz(document: string, operations: string, phases: string, examples: number): Promise<FuzzResult> {
    await this.document(document);
    const urls = this.services.map(({ url }) => url);
    const { code, output } = await schemathesis(
      urls,
      pathOf(document),
      operations,
      phases,
      examples,
      this.home,
    );
    if (code !== 0) throw new Error(`schemathesis ended with ${code}:\n${output.slice(-20_000)}`);
    const [, generated, passed] = /(\d+) generated, (\d+) passed/.exec(output) ?? [];
    return {
      generated: Number(generated),
      passed: Number(passed),
      tested: Number(/Tested: (\d+)/.exec(output)?.[1]),
    };
  }
}

const pathOf = (document: string): string => `/openapi/v3/api-docs/${document}`;

/** The examples of values are of this property. */
async function defineExamples(service: ServiceProcess): Promise<void> {
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
  if (status !== 200) throw new Error(`the property of the examples was refused with ${status}`);
}

/** Runs the program that SCHEMATHESIS names. The seed and the number of examples make runs alike. */
function schemathesis(
  [url, other]: string[],
  path: string,
  operations: string,
  phases: string,
  examples: number,
  folder: string,
): Promise<{ code: number; output: string }> {
  const program = process.env['SCHEMATHESIS'];
  if (!program) throw new Error('SCHEMATHESIS must name the program schemathesis (version 4.32.5)');
  const parameters = [
    ...['--config-file', join(SETTINGS, 'schemathesis.toml'), 'run', `${url}${path}`],
    ...['--phases', phases, '--include-operation-id-regex', operations],
    ...['--seed', SEED, '--max-examples', String(examples), '--generation-database', 'none'],
    ...['--request-timeout', '60', '--suppress-health-check', 'all', '--no-color'],
    ...['--header', `Authorization: Bearer ${ADMIN_TOKEN}`],
  ];
  const environment = {
    ...process.env,
    SCHEMATHESIS_HOOKS: join(SETTINGS, 'valid_requests.py'),
    PYTHONPATH: SETTINGS,
    OTHER_SERVICE_URL: other,
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
