import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';

/** A MySQL server of a test's own, on files that may be replaced. */
export class MySqlServer {
  private constructor(
    readonly url: string,
    private readonly call: (...words: string[]) => Promise<string>,
  ) {}

  /**
   * A server on the files in `mysql` below a folder; makes them where there are none.
   * @param program `MYSQL_START` of test/README.md
   */
  static async start(program: string, folder: string): Promise<MySqlServer> {
    if (program === '') throw new Error('set MYSQL_START: test/README.md says to what');
    const port = String(await freePort());
    const call = async (...words: string[]): Promise<string> =>
      (await promisify(execFile)(program, [...words.slice(0, 1), '--port', port, ...words.slice(1)])).stdout;
    const small = ['--performance-schema=OFF', '--innodb-buffer-pool-size=32M'];
    const url = await call('start', '--data', folder, '--', ...small);
    return new MySqlServer(url.trim(), call);
  }

  async stop(): Promise<void> {
    await this.call('stop');
  }
}
