import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { modelDigest, type Model } from '../../../catalog/model/index.js';
import { ENCODINGS } from '../../../http/encoding.js';
import type { CompressedDocument, DocumentSource } from './compressed-document.js';
import type { ApiRoutes } from '../document/documents.js';
import type { Sample } from '../examples/sample.js';
import { DOCUMENTS, OPENAPI_VERSIONS, type OpenapiVersion } from '../document/document-list.js';

/** `index.json` of the folder: what the documents were made from, and what the files beside it hold. */
interface StoredIndex {
  source: DocumentSource;
  documents: Record<string, { digest: string; size: number }>;
}

const fileOf = (name: string, openapi: OpenapiVersion) => `${name}-${openapi}.json`;

/** The highest quality that takes less than a second for all. */
const BROTLI_QUALITY = 9;

/**
 * Writes the documents of a model compressed into a folder, for {@link StoredDocuments}. Part of the build.
 * @param version version of the service
 */
export async function storeDocuments(
  folder: string,
  model: Model,
  version: string,
  routes: ApiRoutes,
  sample: Sample,
): Promise<void> {
  const { documentText } = await import('./document-text.js');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const index: StoredIndex = { source: { version, model: modelDigest(model) }, documents: {} };
  for (const entry of DOCUMENTS) {
    for (const openapi of OPENAPI_VERSIONS) {
      const text = Buffer.from([...documentText(entry, openapi, model, version, routes, sample)].join(''));
      const file = fileOf(entry.name, openapi);
      const digest = createHash('sha256').update(text).digest('base64url');
      index.documents[file] = { digest, size: text.length };
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      };
      writeFileSync(join(folder, `${file}.br`), brotliCompressSync(text, { params }));
      writeFileSync(join(folder, `${file}.gzip`), gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
    }
  }
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
}

/** The documents that the build made. Nothing of them is kept in memory: the files are in the cache of the disk. */
export class StoredDocuments {
  private constructor(
    private readonly folder: string,
    private readonly index: StoredIndex,
  ) {}

  /** Those of a folder, when they were made from that source. */
  static async find(folder: string, source: DocumentSource): Promise<StoredDocuments | undefined> {
    const text = await readFile(join(folder, 'index.json'), 'utf8').catch(() => undefined);
    // The sources run without a build.
    if (text === undefined) return undefined;
    const index = JSON.parse(text) as StoredIndex;
    const fits = index.source.version === source.version && index.source.model === source.model;
    return fits ? new StoredDocuments(folder, index) : undefined;
  }

  get(name: string, openapi: OpenapiVersion): CompressedDocument {
    const file = fileOf(name, openapi);
    const known = this.index.documents[file];
    if (!known) throw new Error(`the build made no ${file}`);
    return {
      ...known,
      encodings: ENCODINGS,
      bytes: (encoding) => readFile(join(this.folder, `${file}.${encoding}`)),
    };
  }
}
