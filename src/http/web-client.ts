import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StartError } from '../config/start-error.js';

/** Paths below these are of the service, and never the page of a client. */
const SERVICE = /^\/(api|openapi|restli|health|metrics|config|web|graphiql|home)(\/|$)/;

/** An inline script of the page; its hash lets it run, and no other. */
const INLINE_SCRIPT = /<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script>/gi;

/**
 * The build of a web client in a folder. Its files are listed when the service starts, and nothing else is ever read: a path is
 * looked up among them and never put together. Links of the file system are left out.
 */
export class WebClient {
  private constructor(
    private readonly folder: string,
    private readonly files: ReadonlySet<string>,
    private readonly page: Buffer,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** @throws StartError where the folder holds no build */
  static async in(folder: string): Promise<WebClient> {
    const name = `CATALOG_WEB_CLIENT=${JSON.stringify(folder)}`;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
      throw new StartError(`${name} cannot be read: ${error.message}`);
    });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`);
    const visible = new Set(files.filter((path) => !path.includes('/.') && path !== '/index.html'));
    const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => {
      throw new StartError(`${name} is no build of a web client: it has no index.html`);
    });
    // The build says where the place of the base path is.
    const page = html.replaceAll('@basePath', '/');
    return new WebClient(folder, visible, Buffer.from(page), {
      'content-security-policy': contentPolicy(page),
      'x-frame-options': 'DENY',
    });
  }

  /** What a request is for, where that is the client: the path of a file, or `/` for its page. */
  pathOf(request: FastifyRequest): string | undefined {
    const { method } = request.raw;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const [raw = '/'] = request.url.split(/[?#]/, 1);
    let path: string;
    try {
      path = decodeURIComponent(raw);
    } catch {
      return undefined;
    }
    if (path === '/' || path === '/index.html') return '/';
    // What the service has itself is its own.
    if (!request.is404) return undefined;
    if (this.files.has(path)) return path;
    const wantsPage = request.headers.accept?.includes('text/html') === true && !SERVICE.test(path);
    return wantsPage ? '/' : undefined;
  }

  /** @param path what {@link pathOf} said */
  async send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<void> {
    void reply.headers(this.headers);
    if (path === '/') {
      void reply
        .headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
        .send(this.page);
      return;
    }
    const { default: send } = await import('@fastify/send');
    const { statusCode, headers, stream } = await send(request.raw, encodeURI(path), {
      root: this.folder,
      acceptRanges: false,
      index: false,
    });
    void reply.status(statusCode).headers(headers).send(stream);
  }
}

/**
 * Scripts of the build and those that stand in its page run, and none else; it may speak to this service only. Its libraries write
 * styles into the page, and show pictures that they have made.
 */
function contentPolicy(page: string): string {
  const hashes = [...page.matchAll(INLINE_SCRIPT)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...hashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
