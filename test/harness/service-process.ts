import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADMIN_TOKEN, PATIENT, placeOf, send } from './catalog.js';
import { freePort } from './free-port.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The service as users run it: the build, in a process of its own, which can be killed. */
export class ServiceProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly output: { text: string },
    /** Settles when it has ended and everything that it wrote was read. */
    private readonly ended: Promise<unknown>,
  ) {}

  /**
   * Starts the build on a data folder and resolves when it is ready.
   * @param output descriptor that takes its standard output, which is kept in {@link log} otherwise
   * @param program what Node runs instead of the build
   */
  static async start(
    home: string,
    environment: Record<string, string> = {},
    output: number | 'pipe' = 'pipe',
    program = join(ROOT, 'dist', 'main.js'),
  ): Promise<ServiceProcess> {
    if (!existsSync(program)) throw new Error(`${program} is missing: npm run build comes first`);
    for (let tries = 1; ; tries += 1) {
      const service = await ServiceProcess.spawn(home, environment, output, program);
      try {
        await service.ready();
        return service;
      } catch (error) {
        // Until the service listens on the port that was free, a program of another run may have got it.
        const taken = service.log.includes('another process listens there already');
        if (!taken || tries === 3 || environment['PORT'] !== undefined) throw error;
      }
    }
  }

  private static async spawn(
    home: string,
    environment: Record<string, string>,
    output: number | 'pipe',
    program: string,
  ): Promise<ServiceProcess> {
    const port = await freePort();
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: {
        ...outerEnvironment(),
        PORT: String(port),
        HOST: '127.0.0.1',
        CATALOG_HOME: home,
        CATALOG_ADMIN_TOKEN: ADMIN_TOKEN,
        CATALOG_LOG_LEVEL: 'warn',
        ...PATIENT,
        ...(await placeOf(home)),
        ...environment,
      },
      stdio: ['ignore', output, 'pipe'],
    });
    const said = { text: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data: Buffer) => (said.text += data.toString()));
    }
    return new ServiceProcess(`http://127.0.0.1:${port}`, child, said, once(child, 'close'));
  }

  /** Everything the process wrote. */
  get log(): string {
    return this.output.text;
  }

  /** Ends the process without giving it a chance: kill -9. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** Ends it as an operator would. */
  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  async post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: any }> {
    const { status, text } = await send(new URL(this.url + path), 'POST', JSON.stringify(body), {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      'content-type': 'application/json',
      'x-restli-protocol-version': '2.0.0',
      ...headers,
    });
    return { status, body: text === '' ? undefined : JSON.parse(text) };
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }

  private async ready(): Promise<void> {
    for (;;) {
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        await this.ended;
        throw new Error(`the service ended: ${this.log}`);
      }
      const answer = await send(new URL(`${this.url}/health/ready`), 'GET', null, {}).catch(() => undefined);
      if (answer?.status === 200) return;
      // Each refused connection is an error whose stack jest maps to the sources, which takes longer than the call itself.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** What the test runs in, without settings of a catalog: those are the test's own. */
function outerEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CATALOG_')));
}
