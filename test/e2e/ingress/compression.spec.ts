import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';

const DECODE = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
/** Answered with the text of the description, among others. */
const LARGE = '/openapi/v3/entity/tag/urn%3Ali%3Atag%3Alarge/tagProperties';
const SMALL = '/openapi/v3/entity/tag/urn%3Ali%3Atag%3Asmall/tagProperties';

describe('the coding of answers', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      ['urn:li:tag:large', 'tagProperties', { name: 'large', description: 'dünn '.repeat(1000) }],
      ['urn:li:tag:small', 'tagProperties', { name: 'small', description: 'short' }],
    );
  });
  afterAll(() => catalog.stop());

  /** The answer as it is sent: clients of a higher level undo the coding. */
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }>(
      (resolve, reject) => {
        const authorization = `Bearer ${ADMIN_TOKEN}`;
        const sent = request(
          catalog.url + path,
          { method, headers: { authorization, ...headers } },
          (answer) => {
            const parts: Buffer[] = [];
            answer.on('data', (part: Buffer) => parts.push(part));
            answer.on('end', () =>
              resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(parts) }),
            );
          },
        );
        sent.on('error', reject).end();
      },
    );

  it('is that of a short one where an answer is made while it is sent', async () => {
    const urns = Array.from({ length: 15 }, (_, i) => `urn:li:tag:long-${i}`);
    await catalog.ingest(
      ...urns.map((urn): [string, string, unknown] => [
        urn,
        'tagProperties',
        { name: 'long', description: 'dünn '.repeat(20_000) },
      ]),
    );
    const path = '/openapi/v3/entity/tag?count=100&query=name:long';
    const plain = await ask(path);
    const { status, headers, bytes } = await ask(path, { 'accept-encoding': 'gzip' });
    expect(plain.headers).toMatchObject({ 'transfer-encoding': 'chunked', vary: 'accept-encoding' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'transfer-encoding': 'chunked',
      'content-type': plain.headers['content-type'],
    });
    expect(headers.vary).toMatch(/^accept-encoding$/i);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 10);
    expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
    expect(plain.bytes.length).toBeGreaterThan(1024 * 1024);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, zstd', 'zstd'],
    ['br, gzip, deflate', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0.1, gzip', 'gzip'],
  ] as const)('of a large one, for %s, is %s', async (accepted, encoding) => {
    const plain = await ask(LARGE);
    const { status, headers, bytes } = await ask(LARGE, { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(bytes.length),
      'content-type': plain.headers['content-type'],
    });
    expect(headers.vary).toMatch(/^accept-encoding$/i);
    expect(bytes.length).toBeLessThan(1000);
    expect(DECODE[encoding](bytes).equals(plain.bytes)).toBe(true);
  });

  it('is none where the client takes none, and caches are told that it depends on that', async () => {
    for (const headers of [{}, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'deflate' }]) {
      const answer = await ask(LARGE, headers);
      expect(answer.headers).not.toHaveProperty('content-encoding');
      expect(answer.headers.vary).toMatch(/^accept-encoding$/i);
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    }
  });

  it('is none of a small answer', async () => {
    const { headers, bytes } = await ask(SMALL, { 'accept-encoding': 'gzip, br' });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(bytes.toString()).toContain('short');
  });

  it('is used once: pages and documents have theirs', async () => {
    const { headers, bytes } = await ask('/openapi/v3/api-docs/across-entities', {
      'accept-encoding': 'gzip',
    });
    expect(headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(bytes).toString())).toHaveProperty('openapi');
  });
});
