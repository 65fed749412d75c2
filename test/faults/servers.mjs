import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CuttingProxy } from '../harness/cutting-proxy.ts';
import { freePort } from '../harness/free-port.ts';

const run = promisify(execFile);

/** Which variable of the catalog the address of a server belongs to. */
const VARIABLES = {
  mariadb: 'CATALOG_DATABASE_URL',
  mysql: 'CATALOG_DATABASE_URL',
  redis: 'CATALOG_REDIS_URL',
  'search-engine': 'CATALOG_SEARCH_URL',
};
const GIVEN = {
  CATALOG_DATABASE_URL: 'STACK_DATABASE_URL',
  CATALOG_REDIS_URL: 'STACK_REDIS_URL',
  CATALOG_SEARCH_URL: 'STACK_SEARCH_URL',
};

/** The servers that this run starts, in a folder of its own. */
export class Servers {
  started = [];
  proxies = {};
  folder = '';

  constructor(scripts, names) {
    for (const name of names) if (!(name in VARIABLES)) throw new Error(`there is no server ${name}`);
    this.scripts = resolve(scripts);
    this.names = names;
  }

  /** Answers addresses by the variable of the catalog, each the way through a proxy that can be broken. */
  async start() {
    this.folder = await mkdtemp(join(tmpdir(), 'catalog-faults-'));
    // The servers run under accounts of their own.
    await chmod(this.folder, 0o755);
    const addresses = {};
    for (const [variable, given] of Object.entries(GIVEN)) {
      if (process.env[given]) addresses[variable] = process.env[given];
    }
    for (const name of this.names) {
      const variable = VARIABLES[name];
      if (variable in addresses) continue;
      const server = { name, port: String(await freePort()) };
      addresses[variable] = await this.startOne(server);
      this.started.push(server);
    }
    this.addresses = addresses;
    const ways = Object.entries(addresses).map(async ([variable, url]) => {
      this.proxies[variable] = await CuttingProxy.to(url);
      return [variable, this.proxies[variable].through(url).href];
    });
    return Object.fromEntries(await Promise.all(ways));
  }

  /** Those that this run has started, and may harm. */
  parts() {
    return this.started.map((server) => ({
      ...server,
      url: this.addresses[VARIABLES[server.name]],
      proxy: this.proxies[VARIABLES[server.name]],
      pid: () => this.pidOf(server),
      restart: () => this.startOne(server),
    }));
  }

  async stop({ keep }) {
    await Promise.all(Object.values(this.proxies).map((proxy) => proxy.close()));
    for (const { name, port } of this.started)
      await this.call(name, 'stop', '--port', port).catch(() => undefined);
    if (!keep && this.folder !== '') await rm(this.folder, { recursive: true, force: true });
  }

  async startOne({ name, port }) {
    const { stdout } = await this.call(name, 'start', '--port', port);
    return stdout.trim();
  }

  async pidOf({ name, port }) {
    const { stdout } = await this.call(name, 'status', '--port', port);
    const pid = / pid (\d+)/.exec(stdout)?.[1];
    if (pid === undefined) throw new Error(`${name} names no pid: ${stdout}`);
    return Number(pid);
  }

  call(name, ...words) {
    const env = { ...process.env, CATALOG_STACK_RUN: this.folder };
    return run(join(this.scripts, name), words, { env });
  }
}
