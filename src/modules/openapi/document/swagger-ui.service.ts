import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { refuse } from '../../../catalog/errors/index.js';
import { DOCUMENTS } from './document-list.js';

/** A file of the page. */
interface PageFile {
  type: string;
  body: string | Buffer;
}

/** What a handler that the library registers does with a reply. */
interface Reply {
  type(type: string): Reply;
  send(body: string): Reply;
}
type Handler = (request: { url: string }, reply: Reply) => unknown;

const ROOT = '/openapi/swagger-ui';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
};

/**
 * Swagger UI as `@nestjs/swagger` sets it up. The library is loaded with the first visit: its handlers are kept in a
 * table of our own instead of the router, which takes no routes once the service has started.
 */
@Injectable()
export class SwaggerUiService {
  private page: Promise<{ handlers: Map<string, Handler>; folder: string }> | undefined;

  /** @param path below the address of the page. @throws CatalogError FILE_NOT_FOUND */
  async file(path: string): Promise<PageFile> {
    this.page ??= this.load();
    const { handlers, folder } = await this.page;
    const handler = handlers.get(path === '' ? `${ROOT}/` : `${ROOT}/${path}`);
    if (handler) return answerOf(handler, `${ROOT}/${path}`);
    const type = TYPES[extname(path)];
    if (type !== undefined && /^[\w-]+(\.[\w-]+)+$/.test(path)) {
      const body = await readFile(join(folder, path)).catch(() => undefined);
      if (body) return { type, body };
    }
    throw refuse('FILE_NOT_FOUND', `there is no endpoint GET ${ROOT}/${path}`);
  }

  private async load() {
    const { SwaggerModule } = await import('@nestjs/swagger');
    const handlers = new Map<string, Handler>();
    let folder = '';
    const application = {
      getHttpAdapter: () => ({
        get: (path: string, handler: Handler) => handlers.set(path, handler),
        getType: () => 'table',
        getRequestUrl: ({ url }: { url: string }) => url,
      }),
      useStaticAssets: (path: string) => (folder ||= path),
    };
    SwaggerModule.setup(
      ROOT,
      application as unknown as INestApplication,
      undefined as unknown as OpenAPIObject,
      {
        raw: false,
        explorer: true,
        customSiteTitle: 'Metadata catalog – API',
        swaggerOptions: {
          urls: DOCUMENTS.map(({ name, title }) => ({
            url: `/openapi/v3/api-docs/${name}?openapi=3.0`,
            name: title,
          })),
          // The page is several times slower with 3.1. Nothing leaves the service: no validator of others.
          validatorUrl: 'none',
          docExpansion: 'none',
          defaultModelsExpandDepth: -1,
          deepLinking: true,
          displayRequestDuration: true,
          filter: true,
          tryItOutEnabled: true,
        },
      },
    );
    return { handlers, folder };
  }
}

async function answerOf(handler: Handler, url: string): Promise<PageFile> {
  let type = 'text/plain';
  let body = '';
  const reply: Reply = {
    type: (given) => {
      type = TYPES[`.${given}`] ?? `${given}; charset=utf-8`;
      return reply;
    },
    send: (given) => {
      body = given;
      return reply;
    },
  };
  await handler({ url }, reply);
  return { type, body };
}
