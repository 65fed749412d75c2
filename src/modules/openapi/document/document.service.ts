import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import { refuse } from '../../../catalog/errors/index.js';
import { Model } from '../../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';

/** Of the OpenAPI specification. */
type OpenapiVersion = '3.0' | '3.1';

/** Name and title of a document, for whoever lets people choose. */
interface DocumentLink {
  name: string;
  title: string;
}

/**
 * The OpenAPI documents of this service, with the entities and aspects that it really has. Each is built when it is
 * asked for the first time, and kept compressed: most services are never asked.
 */
@Injectable()
export class DocumentService {
  private readonly built = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly model: Model,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  async links(): Promise<DocumentLink[]> {
    const { DOCUMENTS } = await import('./documents.js');
    return DOCUMENTS.map(({ name, title }) => ({ name, title }));
  }

  /** A document as JSON text, compressed with gzip. @throws CatalogError FILE_NOT_FOUND */
  async compressed(name: string | undefined, version: OpenapiVersion): Promise<Buffer> {
    const { asOpenapi30, DOCUMENTS } = await import('./documents.js');
    const wanted = name?.replace(/\.json$/, '') ?? DOCUMENTS[0]!.name;
    const document = DOCUMENTS.find((one) => one.name === wanted);
    if (!document) throw refuse('FILE_NOT_FOUND', `there is no document "${wanted}"`);
    const key = `${wanted} ${version}`;
    let bytes = this.built.get(key);
    if (!bytes) {
      const built = document.build(this.model, this.settings.version);
      bytes = promisify(gzip)(JSON.stringify(version === '3.0' ? asOpenapi30(built) : built));
      this.built.set(key, bytes);
    }
    return bytes;
  }

  /** The same, plain. */
  async plain(name: string | undefined, version: OpenapiVersion): Promise<Buffer> {
    return promisify(gunzip)(await this.compressed(name, version));
  }
}
