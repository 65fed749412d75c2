import { randomBytes } from 'node:crypto';
import { ElasticClient } from '../../src/adapters/search/elasticsearch/index.js';

/** The address of a server that a test cannot do without. @throws Error when the variable is not set */
export function stackUrl(name: string): URL {
  const text = process.env[name];
  if (!text) throw new Error(`${name} is not set: this test needs a real server`);
  return new URL(text);
}

/** A name that no other test run uses, for whatever is made on a server. */
export function uniqueName(head: string): string {
  return `${head}${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
}

/** So many names fit into the address of a request. */
const AT_ONCE = 40;

/** Removes everything that a catalog made on a search server. */
export async function dropIndices(url: URL, prefix: string): Promise<void> {
  const client = new ElasticClient(url);
  const made = await client.find<Record<string, unknown>>({ method: 'GET', path: `/${prefix}.*/_alias` });
  // One after the other, each would make the server write down the state of its cluster.
  const indices = Object.keys(made ?? {});
  for (let i = 0; i < indices.length; i += AT_ONCE)
    await client.request({ method: 'DELETE', path: `/${indices.slice(i, i + AT_ONCE).join(',')}` });
  await client.close();
}
