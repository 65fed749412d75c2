import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { Documented } from '../../catalog/extension/documented.js';
import { Public } from '../auth/index.js';

/** Where the build puts the playground: see scripts/bundle-playground.mjs. */
const FOLDER = fileURLToPath(new URL('../../playground/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  ttf: 'font/ttf',
};

/** The page may load what lies beside it and speak to this service, and nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** The little of a reply that is needed to label the answer. */
interface HeaderReply {
  headers(values: Record<string, string>): unknown;
}

/** The GraphQL playground: static files, open to everybody; what it asks for needs a token. */
@Public()
@Controller('graphiql')
export class PlaygroundController {
  /** Names of the files that the build made; nothing else can be asked for. */
  private readonly files = new Set(listed());

  @Get()
  @Documented({ summary: 'The GraphQL playground, a page for people.' })
  page(
    @Headers('accept-encoding') encodings: string | undefined,
    @Res({ passthrough: true }) reply: HeaderReply,
  ) {
    return this.send('index.html', encodings, reply);
  }

  @Get(':file')
  @Documented({ summary: 'A file of the playground.' })
  file(
    @Param('file') file: string,
    @Headers('accept-encoding') encodings: string | undefined,
    @Res({ passthrough: true }) reply: HeaderReply,
  ) {
    return this.send(file, encodings, reply);
  }

  private send(name: string, encodings: string | undefined, reply: HeaderReply): Buffer {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (!this.files.has(name) || type === undefined) {
      throw refuse('FILE_NOT_FOUND', `the playground has no file ${JSON.stringify(name.slice(0, 64))}`);
    }
    const packed = this.files.has(`${name}.gz`) && /\bgzip\b/.test(encodings ?? '');
    reply.headers({
      'content-type': type,
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      ...(packed ? { 'content-encoding': 'gzip' } : {}),
    });
    return readFileSync(FOLDER + name + (packed ? '.gz' : ''));
  }
}

function listed(): string[] {
  try {
    return readdirSync(FOLDER);
  } catch {
    // The sources run without the bundle, in tests.
    return [];
  }
}
