import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';
import { until } from './until.js';

/** What the guide says that the account of a physical copy needs, and what the service needs. */
const ACCOUNT = `CREATE DATABASE catalog;
CREATE USER catalog@'127.0.0.1' IDENTIFIED BY 'catalog';
GRANT ALL ON catalog.* TO catalog@'127.0.0.1';
GRANT RELOAD, PROCESS, LOCK TABLES, BINLOG MONITOR ON *.* TO catalog@'127.0.0.1';
`;

/** A MariaDB server of a test's own, which may be stopped and whose files may be replaced. */
export class MariaDbServer {
  private constructor(
    private readonly process: ChildProcess,
    readonly data: string,
    readonly url: string,
  ) {}

  /** An empty server. @param folder a new one; the files of the database are in `data` below it */
  static async create(folder: string): Promise<MariaDbServer> {
    await mkdir(folder);
    const data = join(folder, 'data');
    const words = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal'];
    await promisify(execFile)('mariadb-install-db', [...words, '--skip-test-db', ...account()]);
    const accounts = join(folder, 'accounts.sql');
    await writeFile(accounts, ACCOUNT);
    return MariaDbServer.start(folder, [`--init-file=${accounts}`]);
  }

  /** A server on files that are there. */
  static async start(folder: string, more: readonly string[] = []): Promise<MariaDbServer> {
    const port = await freePort();
    const data = join(folder, 'data');
    const child = spawn(
      'mariadbd',
      [
        ...['--no-defaults', `--datadir=${data}`, `--port=${port}`, '--bind-address=127.0.0.1'],
        ...[`--socket=${join(folder, 'server.sock')}`, `--pid-file=${join(folder, 'server.pid')}`],
        ...['--innodb-buffer-pool-size=32M', ...account(), ...more],
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const server = new MariaDbServer(child, data, `mysql://catalog:catalog@127.0.0.1:${port}/catalog`);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`mariadbd ended: ${said}`);
      return server.answers();
    });
    return server;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
  }

  private async answers(): Promise<boolean> {
    const { createConnection } = await import('mysql2/promise');
    try {
      await (await createConnection(this.url)).end();
      return true;
    } catch {
      return false;
    }
  }
}

/** Servers refuse to run as root unless they are told to. */
const account = (): string[] => [`--user=${userInfo().username}`];
