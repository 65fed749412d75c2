import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Model } from '../../../catalog/model/index.js';
import { turn } from '../../../catalog/schedule/index.js';
import type { CompressedDocument } from './compressed-document.js';
import type { ApiRoutes } from '../document/documents.js';
import type { DocumentEntry, OpenapiVersion } from '../document/document-list.js';

/** How long pieces are made before others have their turn, milliseconds. */
const PIECE_MS = 3;

/**
 * The documents of a model that the build does not know. Each is built when it is asked for the first time, in small
 * steps between other requests, and kept compressed.
 */
export class BuiltDocuments {
  private readonly built = new Map<string, Promise<CompressedDocument>>();
  /** One at a time: what a document is built from is many times as large as what is kept. */
  private last: Promise<unknown> = Promise.resolve();

  /** @param version version of the service */
  constructor(
    private readonly model: Model,
    private readonly version: string,
    private readonly routes: () => Promise<ApiRoutes>,
  ) {}

  get(entry: DocumentEntry, openapi: OpenapiVersion): Promise<CompressedDocument> {
    const key = `${entry.name} ${openapi}`;
    let document = this.built.get(key);
    if (!document) {
      document = this.last.then(() => this.build(entry, openapi));
      this.last = document.catch(() => this.built.delete(key));
      this.built.set(key, document);
    }
    return document;
  }

  private async build(entry: DocumentEntry, openapi: OpenapiVersion): Promise<CompressedDocument> {
    const [{ documentText }, { readSample }] = await Promise.all([
      import('./document-text.js'),
      import('../examples/sample.js'),
    ]);
    const sample = await readSample();
    const routes = await this.routes();
    const hash = createHash('sha256');
    let size = 0;
    async function* chunks(pieces: Generator<string, void>): AsyncGenerator<Buffer> {
      for (let done = false; !done;) {
        await turn();
        const end = performance.now() + PIECE_MS;
        let text = '';
        while (!done && performance.now() < end) {
          const piece = pieces.next();
          if (piece.done) done = true;
          else text += piece.value;
        }
        if (text === '') continue;
        const chunk = Buffer.from(text);
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    }
    const pieces = documentText(entry, openapi, this.model, this.version, routes, sample);
    const zip = createGzip();
    const [zipped] = await Promise.all([buffer(zip), pipeline(chunks(pieces), zip)]);
    return { digest: hash.digest('base64url'), size, encodings: ['gzip'], bytes: async () => zipped };
  }
}
