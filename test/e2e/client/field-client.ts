import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADMIN_TOKEN } from '../../harness/catalog.js';
import type { ServiceProcess } from '../../harness/service-process.js';
import { WarmPython, type Ended } from '../../harness/warm-python.js';

/** What most commands import, also where they do so while they run. What one lacks here it imports itself. */
const MODULES = [
  'aiohttp',
  'datahub.entrypoints',
  'datahub.ingestion.run.pipeline',
  'datahub.ingestion.source.file',
  'datahub.ingestion.sink.datahub_rest',
  'datahub.sdk',
  'datahub.utilities.graphql_query_adapter',
];

/** The field's own command line and SDK, unmodified, in front of a running service. */
export class FieldClient {
  private readonly program: string;
  private readonly warm: WarmPython;

  /**
   * @param home the folder that commands run in, and the home folder that they see
   * @param more further variables of their environment
   */
  constructor(home: string, service: ServiceProcess, more: Record<string, string> = {}) {
    const program = process.env['DATAHUB_CLI'];
    if (!program) throw new Error('DATAHUB_CLI must be set: see test/README.md');
    this.program = program;
    const env = {
      ...process.env,
      HOME: home,
      DATAHUB_GMS_URL: service.url,
      DATAHUB_GMS_TOKEN: ADMIN_TOKEN,
      DATAHUB_TELEMETRY_ENABLED: 'false',
      PYTHONIOENCODING: 'utf-8',
      PYTHONDONTWRITEBYTECODE: '1',
      ...more,
    };
    this.warm = new WarmPython(join(dirname(program), 'python'), MODULES, { cwd: home, env });
  }

  /** Runs a command of the client, whatever becomes of it. */
  attempt(args: readonly string[]): Promise<Ended> {
    return this.warm.run([this.program, ...args]);
  }

  /** Runs a command that must succeed and answers what it printed. */
  async datahub(...args: string[]): Promise<string> {
    const ended = await this.attempt(args);
    if (ended.code !== 0) throw new Error(`datahub ${args.join(' ')}: ${ended.stdout}\n${ended.stderr}`);
    return ended.stdout;
  }

  /** The value of an aspect as the client reads it; undefined when there is none. */
  async aspect(urn: string, name: string): Promise<any> {
    return JSON.parse(await this.datahub('get', '--urn', urn, '-a', name))[name];
  }

  /** Runs a script of `sdk/` in the client's own Python and answers the outcomes of its steps. */
  async outcomes(script: string): Promise<Record<string, any>> {
    const path = fileURLToPath(new URL(`sdk/${script}`, import.meta.url));
    const ended = await this.warm.run([path]);
    if (ended.code !== 0) throw new Error(`${script}: ${ended.stderr}`);
    return JSON.parse(ended.stdout) as Record<string, any>;
  }

  /** Runs a script in the client's own Python, which must succeed. */
  async python(text: string): Promise<void> {
    const ended = await this.warm.run(['-c', text]);
    if (ended.code !== 0) throw new Error(ended.stderr);
  }

  /** Ends what commands are run with. */
  close(): Promise<void> {
    return this.warm.close();
  }
}
