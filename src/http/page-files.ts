import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse, type CatalogError } from '../catalog/errors/index.js';
import { chooseEncoding, ENCODINGS } from './encoding.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
};
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;
const YEAR_MS = 365 * 24 * 3_600_000;

/** Where a page may send requests to, for its content policy: to this service, and to the provider where people sign in. */
export function connectable(signIn: { readonly issuer: string } | undefined): string {
  return signIn === undefined ? "'self'" : `'self' ${new URL(signIn.issuer).origin}`;
}

/** A file, or a file in a folder that is named by a digest of all that is in it. */
const PATH = /^(?:(?<digest>[0-9a-f]{16})\/)?[\w-]+(?:\.[\w-]+)+$/;

/**
 * Files of a page for people, as the build made them, with compressed copies beside them (`name.br`, `name.gz`).
 * Browsers keep what is in a folder named by its digest for a year, and ask whether the rest has changed.
 */
export class PageFiles {
  /**
   * @param folder absolute path
   * @param headers sent with each file, such as its content policy
   * @param name of the page, for the refusal of files that it does not have
   */
  constructor(
    private readonly folder: string,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly name = 'the page',
  ) {}

  /** {@link send}s a file. @throws CatalogError FILE_NOT_FOUND */
  async serve(request: FastifyRequest, reply: FastifyReply, path: string): Promise<void> {
    if (!(await this.send(request, reply, path))) throw this.refusal(path);
  }

  /** Of a file that there is not. */
  refusal(path: string): CatalogError {
    return refuse('FILE_NOT_FOUND', `${this.name} has no file ${JSON.stringify(path.slice(0, 64))}`);
  }

  /**
   * Sends a file, or 304 where the client has it.
   * @param path a name, or a digest and a name
   * @returns false when there is no such file; nothing is sent then
   */
  async send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<boolean> {
    const match = PATH.exec(path);
    const type = TYPES[extname(path)];
    if (match === null || type === undefined) return false;
    const encoding = await chooseEncoding(
      request.headers['accept-encoding'],
      ENCODINGS.filter((one) => existsSync(join(this.folder, path + SUFFIXES[one]))),
    );
    const { default: send } = await import('@fastify/send');
    const {
      statusCode,
      headers,
      stream,
      type: outcome,
    } = await send(request.raw, `/${path}${encoding === 'identity' ? '' : SUFFIXES[encoding]}`, {
      root: this.folder,
      contentType: false,
      acceptRanges: false,
      index: false,
      ...(match.groups?.['digest'] === undefined ? {} : { maxAge: YEAR_MS, immutable: true }),
    });
    if (outcome !== 'file') return false;
    void reply
      .status(statusCode)
      .headers({ ...headers, ...this.headers, vary: 'Accept-Encoding' })
      .headers(statusCode === 304 ? {} : { 'content-type': type })
      .headers(statusCode === 304 || encoding === 'identity' ? {} : { 'content-encoding': encoding })
      .send(stream);
    return true;
  }
}
