import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ROUTES } from '../../../src/api-routes.js';
import { Model } from '../../../src/catalog/model/index.js';
import { DOCUMENTS, OPENAPI_VERSIONS } from '../../../src/modules/openapi/document/document-list.js';
import { documentText } from '../../../src/modules/openapi/serving/document-text.js';
import { SAMPLE } from '../../harness/sample.js';
import { VERSION } from '../../../src/version.js';
import { ServiceProcess } from '../../harness/service-process.js';

interface Got {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** As they came. */
  bytes: Buffer;
}

/** Unlike fetch it sends no header of its own, and decompresses nothing. */
function got(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject).end();
  });
}

function textOf({ headers, bytes }: Got): string {
  const encoding = headers['content-encoding'];
  const plain =
    encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
  return plain.toString();
}

/** Loaded before the service; tells which modules it loads. */
const WATCH = `
import { registerHooks } from 'node:module';
import { writeSync } from 'node:fs';
registerHooks({ load(url, context, next) { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context); } });
`;
const BUILDER = /loaded .*\/document-text-\w+\.js\n/;

/** An entity that has aspects of others only: nothing new but the key among the schemas. */
const MODEL = {
  'printer.entity.yaml': `
entity: printer
description: A machine that prints.
keyAspect: printerKey
aspects: [ownership, globalTags, status]
`,
  'printer-key.aspect.yaml': `
aspect: printerKey
x-key: printer
description: Identity of a printer.
type: object
required: [site, name]
properties: { site: { type: string }, name: { type: string } }
`,
};

let folder: string;
let service: ServiceProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-documents-'));
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  await rm(folder, { recursive: true });
});

async function start(environment: Record<string, string> = {}): Promise<ServiceProcess> {
  const watch = join(folder, 'watch.mjs');
  await writeFile(watch, WATCH);
  service = await ServiceProcess.start(join(folder, 'home'), {
    NODE_OPTIONS: `--import=${watch}`,
    ...environment,
  });
  return service;
}

const address = (name: string, openapi: string) => `/openapi/v3/api-docs/${name}?openapi=${openapi}`;

describe('the API documents of the built service', () => {
  it('come from the build, in each coding the same text as a service would build', async () => {
    const { url } = await start();
    const model = Model.load();
    for (const entry of DOCUMENTS) {
      for (const openapi of OPENAPI_VERSIONS) {
        const expected = [...documentText(entry, openapi, model, VERSION, ROUTES, SAMPLE)].join('');
        for (const encoding of ['br', 'gzip', 'identity']) {
          const answer = await got(url + address(entry.name, openapi), { 'accept-encoding': encoding });
          expect({ status: answer.status, encoding: answer.headers['content-encoding'] }).toEqual({
            status: 200,
            encoding: encoding === 'identity' ? undefined : encoding,
          });
          expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
          // A difference of megabytes is not to be printed.
          expect(textOf(answer) === expected).toBe(true);
        }
      }
    }
    expect(service!.log).toContain('loaded ');
    expect(service!.log).not.toMatch(BUILDER);
  });

  it('have the entities of a model of their own, built once and in both codings', async () => {
    const models = join(folder, 'models');
    await mkdir(models);
    for (const [name, text] of Object.entries(MODEL)) await writeFile(join(models, name), text);
    const { url } = await start({ CATALOG_MODELS: models });
    const model = Model.load({ userFolder: models });
    const wanted = DOCUMENTS.flatMap((entry) => OPENAPI_VERSIONS.map((openapi) => ({ entry, openapi })));
    // All at once.
    const answers = await Promise.all(
      wanted.map(({ entry, openapi }) =>
        got(url + address(entry.name, openapi), { 'accept-encoding': 'gzip, br' }),
      ),
    );
    for (const [i, { entry, openapi }] of wanted.entries()) {
      const expected = [...documentText(entry, openapi, model, VERSION, ROUTES, SAMPLE)].join('');
      expect(textOf(answers[i]!) === expected).toBe(true);
      expect(answers[i]!.headers['content-encoding']).toBe('gzip');
    }
    const more = address('entities-v3-more', '3.1');
    const plain = await got(url + more);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(Object.keys(JSON.parse(textOf(plain)).paths)).toContain('/openapi/v3/entity/printer/{urn}/status');
    const again = await got(url + more, { 'if-none-match': plain.headers['etag']! });
    expect(again.status).toBe(304);
    expect(service!.log).toMatch(BUILDER);
  });
});

describe('a request for an API document', () => {
  const path = '/openapi/v3/api-docs/aspect-api';
  let home: string;
  let running: ServiceProcess;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-documents-'));
    running = await ServiceProcess.start(home);
  });
  afterAll(async () => {
    await running.stop();
    await rm(home, { recursive: true });
  });

  it.each([
    [undefined, undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['deflate, zstd', undefined],
    ['identity', undefined],
  ])('with Accept-Encoding %s is answered in the coding %s', async (accepted, encoding) => {
    const answer = await got(
      running.url + path,
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    );
    expect(answer).toMatchObject({
      status: 200,
      headers: { vary: 'Accept-Encoding', 'cache-control': 'no-cache' },
    });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(JSON.parse(textOf(answer)).openapi).toBe('3.1.0');
  });

  it('is answered 304 when the caller has it', async () => {
    const tags = new Set<string>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const { etag } = (await got(running.url + path, headers)).headers;
      expect(etag).toMatch(/^"[\w-]+"$/);
      tags.add(etag!);
      for (const known of [etag!, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await got(running.url + path, { ...headers, 'if-none-match': known });
        expect(answer).toMatchObject({ status: 304, headers: { etag, vary: 'Accept-Encoding' } });
        expect(answer.bytes.length).toBe(0);
      }
      const changed = await got(running.url + path, { ...headers, 'if-none-match': '"other"' });
      expect(changed.status).toBe(200);
      // Of the other version of the specification.
      const older = await got(`${running.url}${path}?openapi=3.0`, { ...headers, 'if-none-match': etag! });
      expect({ status: older.status, same: older.headers['etag'] === etag }).toEqual({
        status: 200,
        same: false,
      });
    }
    expect(tags.size).toBe(3);
  });

  it('is answered without a body to HEAD', async () => {
    for (const encoding of ['br', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const [whole, head] = [
        await got(running.url + path, headers),
        await got(running.url + path, headers, 'HEAD'),
      ];
      expect(head.bytes.length).toBe(0);
      expect(head.status).toBe(200);
      expect(head.headers['etag']).toBe(whole.headers['etag']);
      expect(head.headers['content-length']).toBe(String(whole.bytes.length));
    }
  });

  it('has documents whose texts are those that are checked in', async () => {
    const answer = await got(`${running.url}/openapi/v3/api-docs/aspect-api`);
    const checkedIn = await readFile(
      new URL('../../../docs/openapi/aspect-api.json', import.meta.url),
      'utf8',
    );
    expect(JSON.parse(textOf(answer))).toEqual(JSON.parse(checkedIn));
  });
});
