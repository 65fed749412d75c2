import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADMIN_TOKEN } from '../../harness/catalog.js';
import type { ServiceProcess } from '../../harness/service-process.js';

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The field's own command line and SDK, unmodified, in front of a running service. */
export class FieldClient {
  private readonly program: string;

  /** `home` is the folder that commands run in, and the home folder that they see. */
  constructor(
    private readonly home: string,
    private readonly service: ServiceProcess,
  ) {
    const program = process.env['DATAHUB_CLI'];
    if (!program) throw new Error('DATAHUB_CLI must be set: see test/README.md');
    this.program = program;
  }

  /** Runs a command of the client, whatever becomes of it. */
  attempt(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
    return this.run(this.program, args, environment);
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
    const python = join(dirname(this.program), 'python');
    const path = fileURLToPath(new URL(`sdk/${script}`, import.meta.url));
    const ended = await this.run(python, [path], { PYTHONDONTWRITEBYTECODE: '1' });
    if (ended.code !== 0) throw new Error(`${script}: ${ended.stderr}`);
    return JSON.parse(ended.stdout) as Record<string, any>;
  }

  /** Runs a script in the client's own Python, which must succeed. */
  async python(script: string): Promise<void> {
    const ended = await this.run(join(dirname(this.program), 'python'), ['-c', script], {});
    if (ended.code !== 0) throw new Error(ended.stderr);
  }

  private run(program: string, args: readonly string[], environment: Record<string, string>): Promise<Ended> {
    const options = {
      cwd: this.home,
      maxBuffer: 64 * 1024 * 1024,
      timeout: 120_000,
      env: {
        ...process.env,
        HOME: this.home,
        DATAHUB_GMS_URL: this.service.url,
        DATAHUB_GMS_TOKEN: ADMIN_TOKEN,
        DATAHUB_TELEMETRY_ENABLED: 'false',
        PYTHONIOENCODING: 'utf-8',
        ...environment,
      },
    };
    return new Promise((resolve, reject) => {
      execFile(program, args, options, (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(new Error(error.message, { cause: error }));
        else resolve({ code: error ? (error.code as number) : 0, stdout, stderr });
      });
    });
  }
}
