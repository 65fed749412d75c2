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

/** Removes everything that a catalog made on a search server. */
export async function dropIndices(url: URL, prefix: string): Promise<void> {
  const client = new ElasticClient(url);
  const made = await client.find<Record<string, unknown>>({ method: 'GET', path: `/${prefix}.*/_alias` });
  for (const index of Object.keys(made ?? {})) await client.request({ method: 'DELETE', path: `/${index}` });
  await client.close();
}
