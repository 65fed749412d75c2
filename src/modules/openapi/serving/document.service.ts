import { fileURLToPath } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import { refuse } from '../../../catalog/errors/index.js';
import { Model } from '../../../catalog/model/index.js';
import { CATALOG_SETTINGS, MODEL_DIGEST, type CatalogSettings } from '../../../catalog/settings.js';
import type { CompressedDocument } from './compressed-document.js';
import type { ApiRoutes } from '../document/documents.js';
import { DOCUMENTS, type DocumentEntry, type OpenapiVersion } from '../document/document-list.js';

/** Where the build puts the documents of the model that ships: see scripts/bundle-documents.mjs. */
const FOLDER = fileURLToPath(new URL('../../../api-documents/', import.meta.url));

/** Loads the routes that the modules declare, for {@link API_ROUTES}. */
export type LoadRoutes = () => Promise<ApiRoutes>;
/** Injection token: who knows all modules says what they declare. */
export const API_ROUTES = Symbol('API_ROUTES');

type Documents = (entry: DocumentEntry, openapi: OpenapiVersion) => Promise<CompressedDocument>;

/**
 * The OpenAPI documents of this service, with the entities and aspects that it really has. Those of the model that ships
 * come from the build; with a model of its own the service builds them itself.
 */
@Injectable()
export class DocumentService {
  private documents: Promise<Documents> | undefined;

  constructor(
    private readonly model: Model,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
    @Inject(MODEL_DIGEST) private readonly modelDigest: string,
    @Inject(API_ROUTES) private readonly routes: LoadRoutes,
  ) {}

  /** A document; without a name the first. @throws CatalogError FILE_NOT_FOUND */
  async document(name: string | undefined, openapi: OpenapiVersion): Promise<CompressedDocument> {
    const wanted = name?.replace(/\.json$/, '') ?? DOCUMENTS[0]!.name;
    const entry = DOCUMENTS.find((one) => one.name === wanted);
    if (!entry) throw refuse('FILE_NOT_FOUND', `there is no document "${wanted}"`);
    this.documents ??= this.find();
    return (await this.documents)(entry, openapi);
  }

  private async find(): Promise<Documents> {
    const { version } = this.settings;
    const { StoredDocuments } = await import('./stored-documents.js');
    const stored = await StoredDocuments.find(FOLDER, { version, model: this.modelDigest });
    if (stored) return async (entry, openapi) => stored.get(entry.name, openapi);
    const { BuiltDocuments } = await import('./built-documents.js');
    const built = new BuiltDocuments(this.model, version, this.routes);
    return (entry, openapi) => built.get(entry, openapi);
  }
}
