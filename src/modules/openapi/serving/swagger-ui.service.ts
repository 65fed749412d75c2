import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../../catalog/errors/index.js';
import { CATALOG_SETTINGS, type CatalogSettings, type SignIn } from '../../../catalog/settings.js';
import { isKnown } from '../../../http/entity-tag.js';
import { connectable, PageFiles } from '../../../http/page-files.js';
import { DOCUMENTS } from '../document/document-list.js';

/** A text that the library makes, with its entity tag, without quotes. */
interface MadeText {
  type: string;
  body: string;
  tag: string;
}

/** What a handler that the library registers does with a reply. */
interface Reply {
  type(type: string): Reply;
  send(body: string): Reply;
}
type Handler = (request: { url: string }, reply: Reply) => unknown;

const ROOT = '/openapi/swagger-ui';
/** Where the build puts the files of Swagger UI: see scripts/bundle-swagger-ui.mjs. */
const FOLDER = fileURLToPath(new URL('../../../swagger-ui/', import.meta.url));

/** Everything comes from here, and calls go nowhere else but to the identity provider. The library writes a script and styles into its page. */
const policyOf = (signIn: SignIn | undefined): string =>
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  `font-src 'self' data:; connect-src ${connectable(signIn)}; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Where its own colours have too little contrast. */
const STYLE = `
html:not(.dark-mode) .swagger-ui .info .title small { background: #5d6370; }
html .swagger-ui .info .title small.version-stamp { background: #436000; }
html .swagger-ui .info .title small pre { color: #fff; }
html:not(.dark-mode) .swagger-ui .info a { color: #1a5fb4; }
html:not(.dark-mode) .swagger-ui .btn.authorize { color: #0f6b43; border-color: #0f6b43; }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #0f6b43; }`;

/**
 * Swagger UI as `@nestjs/swagger` sets it up. The library is loaded with the first visit: its handlers are kept in a
 * table of our own instead of the router, which takes no routes once the service has started.
 */
@Injectable()
export class SwaggerUiService {
  private readonly policy: string;
  private readonly files: PageFiles;
  private texts: Promise<Map<string, MadeText>> | undefined;

  constructor(@Inject(CATALOG_SETTINGS) settings: CatalogSettings) {
    this.policy = policyOf(settings.signIn);
    this.files = new PageFiles(FOLDER, { 'content-security-policy': this.policy });
  }

  /** @param path below the address of the page. @throws CatalogError FILE_NOT_FOUND */
  async send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<void> {
    const text = path.includes('/') ? undefined : (await (this.texts ??= made())).get(path);
    if (text === undefined) {
      if (await this.files.send(request, reply, path)) return;
      throw refuse('FILE_NOT_FOUND', `there is no endpoint GET ${ROOT}/${path}`);
    }
    const { type, body, tag } = text;
    void reply.headers({
      etag: `"${tag}"`,
      'cache-control': 'no-cache',
      'content-security-policy': this.policy,
    });
    if (isKnown(request.headers['if-none-match'], tag)) void reply.status(304).send();
    else void reply.header('content-type', type).send(body);
  }
}

/** The page and its script; what else they load is in the folder of the build. */
async function made(): Promise<Map<string, MadeText>> {
  const { SwaggerModule } = await import('@nestjs/swagger');
  const handlers = new Map<string, Handler>();
  const digest = readdirSync(FOLDER).find((name) => /^[0-9a-f]{16}$/.test(name));
  const application = {
    getHttpAdapter: () => ({
      get: (path: string, handler: Handler) => handlers.set(path, handler),
      getType: () => 'table',
      getRequestUrl: ({ url }: { url: string }) => url,
    }),
    useStaticAssets: () => undefined,
  };
  SwaggerModule.setup(
    ROOT,
    application as unknown as INestApplication,
    undefined as unknown as OpenAPIObject,
    {
      raw: false,
      explorer: true,
      customSiteTitle: 'Metadata catalog – API',
      customCss: STYLE,
      customJs: `./${digest}/page.js`,
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
        // The token stays over a reload, and for the next document.
        persistAuthorization: true,
        requestInterceptor: withoutSecondScheme,
      },
    },
  );
  const texts = new Map<string, MadeText>();
  for (const path of ['', 'swagger-ui-init.js']) {
    const { type, body } = await answerOf(handlers.get(`${ROOT}/${path}`), `${ROOT}/${path}`);
    const text = body
      .replaceAll(/"\.\/(swagger-ui(?:-bundle|-standalone-preset)?\.(?:css|js)|favicon-)/g, `"./${digest}/$1`)
      .replace('<head>', '<head>\n  <meta name="viewport" content="width=device-width, initial-scale=1">');
    const tag = createHash('sha256').update(text).digest('hex').slice(0, 16);
    texts.set(path, { type, body: text, tag });
  }
  return texts;
}

/** Runs in the page: people paste `Bearer <token>`, and the page puts `Bearer` before it once more. */
function withoutSecondScheme(request: { headers: Record<string, string> }) {
  const { headers } = request;
  if (headers['Authorization']) {
    headers['Authorization'] = headers['Authorization'].replace(/^Bearer\s+Bearer\s+/i, 'Bearer ');
  }
  return request;
}

async function answerOf(handler: Handler | undefined, url: string): Promise<{ type: string; body: string }> {
  let type = 'text/plain';
  let body = '';
  const reply: Reply = {
    type: (given) => {
      type = `${given.includes('/') ? given : `text/${given === 'js' ? 'javascript' : given}`}; charset=utf-8`;
      return reply;
    },
    send: (given) => {
      body = given;
      return reply;
    },
  };
  if (handler === undefined) throw new Error(`@nestjs/swagger has no handler for ${url}`);
  await handler({ url }, reply);
  return { type, body };
}
