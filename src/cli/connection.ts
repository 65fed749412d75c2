import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfiguration } from '../config/configuration.js';
import { UsageError } from './command.js';

/** Where a running service is, and what it is called with. */
interface Connection {
  /** Without a slash at the end. */
  server: string;
  token: string | undefined;
}

/**
 * What the options say, else the environment (`CATALOG_URL`, `CATALOG_TOKEN`), else this machine and the administrator token
 * of the settings or in the data folder.
 * @throws UsageError when the address is none
 */
export async function connectionOf(options: {
  server?: string | undefined;
  token?: string | undefined;
}): Promise<Connection> {
  const { home, auth, port, adminToken } = readConfiguration();
  const named = options.server ?? (process.env['CATALOG_URL']?.trim() || undefined);
  const server = (named ?? `http://localhost:${port}`).replace(/\/+$/, '');
  const url = URL.parse(server);
  if (!/^https?:$/.test(url?.protocol ?? ''))
    throw new UsageError(
      `${options.server === undefined ? 'CATALOG_URL' : '--server'} must be an http(s) URL`,
    );
  const given = options.token ?? process.env['CATALOG_TOKEN']?.trim();
  if (given || auth === 'off') return { server, token: given || undefined };
  if (adminToken !== undefined) return { server, token: adminToken };
  const text = await readFile(join(home, 'admin-token'), 'utf8').catch(() => '');
  return { server, token: text.trim() || undefined };
}
