import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeHome, ADMIN_TOKEN } from '../../../harness/catalog.js';
import { ROOT, ServiceProcess } from '../../../harness/service-process.js';

const SETTINGS = join(ROOT, 'test/e2e/openapi/fuzz');
const SEED = '20260101';

/** How many requests of a run were made and how many answers were right, and how many operations it was about. */
export interface FuzzResult {
  generated: number;
  passed: number;
  tested: number;
}

/** A service that holds what the examples of its documents name, and schemathesis in front of it. */
export class FuzzedService {
  private constructor(
    private readonly home: string,
    private readonly service: ServiceProcess,
  ) {}

  static async start(): Promise<FuzzedService> {
    const home = await mkdtemp(join(tmpdir(), 'catalog-fuzz-'));
    // Each of the requests is answered with what is there.
    const waits = { CATALOG_FEED_WAIT_MS: '0', CATALOG_FEED_STREAM_SECONDS: '0' };
    const service = await ServiceProcess.start(home, waits);
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
    if (status !== 200) throw new Error(`the property of the examples was refused with ${status}`);
    return new FuzzedService(home, service);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await removeHome(this.home);
  }

  addressOf(document: string): string {
    return `${this.service.url}/openapi/v3/api-docs/${document}`;
  }

  /** Every request that schemathesis makes of these operations must be answered as the document says. */
  async fuzz(document: string, operations: string, phases: string, examples: number): Promise<FuzzResult> {
    const url = this.addressOf(document);
    const { code, output } = await schemathesis(url, operations, phases, examples, this.home);
    if (code !== 0) throw new Error(`schemathesis ended with ${code}:\n${output.slice(-20_000)}`);
    const [, generated, passed] = /(\d+) generated, (\d+) passed/.exec(output) ?? [];
    return {
      generated: Number(generated),
      passed: Number(passed),
      tested: Number(/Tested: (\d+)/.exec(output)?.[1]),
    };
  }
}

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
