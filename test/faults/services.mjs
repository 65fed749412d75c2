import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../harness/free-port.ts';
import { until } from './wait.mjs';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const START_MS = 120_000;

export const TOKEN = 'fault-matrix-administrator-token';

/** The processes of the catalog: two of each role where they can share everything, one of all roles elsewhere. */
export class Services {
  all = [];

  /** @param home data folder, of the process that keeps everything in files */
  async start(addresses, folder, home = join(folder, 'home')) {
    if (!existsSync(join(DIST, 'main.js'))) throw new Error(`${DIST} is missing: npm run build comes first`);
    const shared = 'CATALOG_DATABASE_URL' in addresses && 'CATALOG_SEARCH_URL' in addresses;
    const names = shared ? ['api 1', 'api 2', 'worker 1', 'worker 2'] : ['all'];
    for (const name of names) {
      const [role] = name.split(' ');
      this.all.push(new Service(name, role, await freePort(), { ...addresses, CATALOG_HOME: home }, folder));
    }
    // All at once: their migrations must not get into each other's way either.
    await Promise.all(this.all.map((service) => service.start()));
  }

  /** Those that take requests. */
  get apis() {
    return this.all.filter(({ role }) => role !== 'worker');
  }

  /** One of each kind. */
  parts() {
    const first = (role) => this.all.filter((service) => service.role === role).slice(0, 1);
    return [...first('all'), ...first('api'), ...first('worker')];
  }

  /** What the last call of {@link caughtUp} waited for, in words. */
  waitsFor = '';

  /**
   * Whether every API finds all its parts up, and the consumers have come past what was written before a moment.
   * @param since the moment, by the clock of this process
   */
  async caughtUp(load, since = performance.now()) {
    const passed = (performance.now() - since) / 1000;
    const healths = await Promise.all(this.apis.map((api) => this.health(api)));
    this.waitsFor = JSON.stringify(healths);
    if (!healths.every((health) => health?.status === 'UP')) return false;
    const { unpublished, behind } = healths.at(-1).parts.find(({ name }) => name === 'consumers').details;
    // Under load there is always something on its way, but nothing as old as that moment and nothing that fails.
    // Ages are told in whole seconds.
    const limit = Math.max(5, passed - 1);
    const old = ({ seconds, changes }) => (load.running ? seconds > limit : changes > 0);
    return !old(unpublished) && behind.every((lag) => !old(lag) && lag.failing === 0);
  }

  async health(api) {
    const answer = await fetch(`${api.url}/health`).catch(() => undefined);
    return answer?.json().catch(() => undefined);
  }

  async stop() {
    await Promise.all(this.all.map((service) => service.stop()));
  }

  lastWords() {
    const tails = this.all.map((service) => `-- ${service.name}\n${service.tail}`);
    return [...tails, `-- health when it was last waited for\n${this.waitsFor}`].join('\n');
  }
}

class Service {
  tail = '';

  constructor(name, role, port, environment, folder) {
    Object.assign(this, { name, role, port, environment });
    this.url = `http://127.0.0.1:${port}`;
    this.log = createWriteStream(join(folder, `${name.replace(' ', '-')}.log`));
  }

  /** @param output descriptor that takes its log; a pipe that this process reads unless given */
  async start(output = 'pipe') {
    const program = join(DIST, this.role === 'worker' ? 'worker.js' : 'main.js');
    const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('CATALOG_'));
    this.child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: {
        ...Object.fromEntries(outer),
        ...this.environment,
        CATALOG_ROLE: this.role,
        CATALOG_ADMIN_TOKEN: TOKEN,
        CATALOG_LOG_LEVEL: process.env.CATALOG_LOG_LEVEL ?? 'debug',
        HOST: '127.0.0.1',
        PORT: String(this.port),
      },
      stdio: ['ignore', output, 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (data) => {
        this.log.write(data);
        this.tail = (this.tail + data.toString()).slice(-3000);
      });
    }
    await until(() => this.isReady(), START_MS, `${this.name} to be ready`);
  }

  get home() {
    return this.environment.CATALOG_HOME;
  }

  async pid() {
    return this.child.pid;
  }

  async kill() {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  restart() {
    return this.start();
  }

  async stop() {
    if (this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    // One that was left stopped does not hear anything else.
    this.child.kill('SIGCONT');
    this.child.kill('SIGTERM');
    await gone;
  }

  async isReady() {
    if (this.child.exitCode !== null) throw new Error(`${this.name} ended by itself:\n${this.tail}`);
    const answer = await fetch(`${this.url}/health/ready`).catch(() => undefined);
    return answer?.status === 200;
  }
}
