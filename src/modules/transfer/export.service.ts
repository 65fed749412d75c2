import { once } from 'node:events';
import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { factsOf, Model } from '../../catalog/model/index.js';
import { Limiter } from '../../catalog/schedule/index.js';
import { NO_FILTER } from '../../catalog/search/index.js';
import { Database } from '../../catalog/store/index.js';
import { DEFAULT_FLAGS, SearchService } from '../search/index.js';
import { CatalogExport } from './catalog-export.js';
import { cutFrom, writeCut, type ExportCut } from './export-cut.js';
import type { ExportSelection } from './export-format.js';
import { LINES_TYPE } from './export.routes.js';

/** Exports of a process at a time: each holds a connection, or the log of the database, for as long as its client reads. */
const AT_ONCE = 2;
/** Those under way and those that wait for their turn. */
const AT_MOST = 16;
/** Entities that a query finds and that are read together. */
const FOUND = 500;

const NEWLINE = 0x0a;

/** What a client asks for. */
interface Request {
  readonly selection: ExportSelection;
  /** Of an answer that was cut off, as it was given. */
  readonly cut: string | undefined;
  /** Lines of it that the client has. */
  readonly skipLines: number;
}

/** Begins the answer: its headers so far. */
type Begin = () => Readonly<Record<string, OutgoingHttpHeader | undefined>>;

/** The client has gone, or the process ends. */
class Ended extends Error {}

/** Streams exports to clients. */
@Injectable()
export class ExportService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ExportService.name);
  private readonly open = new Set<ServerResponse>();
  private readonly limiter = new Limiter(AT_ONCE);

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly search: SearchService,
  ) {}

  /** Clients see that the line of the end is missing. */
  beforeApplicationShutdown(): void {
    for (const response of this.open) response.destroy();
  }

  /**
   * @param begin called when the first part is there, for the headers of the answer; what fails before is answered as usual
   * @throws CatalogError NOT_ALLOWED, PARAMETER_INVALID, CURSOR_EXPIRED, TOO_MANY_REQUESTS
   */
  async stream(
    principal: Principal,
    request: Request,
    response: ServerResponse,
    begin: Begin,
  ): Promise<void> {
    authorize(principal, 'manage');
    const { selection, cut, skipLines } = request;
    if (cut !== undefined && selection.query !== undefined)
      throw refuse(
        'PARAMETER_INVALID',
        'an export by "query" does not go on: what the search found is not kept; begin it anew',
        '/cut',
      );
    if (cut === undefined && skipLines > 0)
      throw refuse('PARAMETER_INVALID', '"skipLines" goes with "cut" only', '/skipLines');
    for (const type of selection.entityTypes)
      if (!this.model.entities.has(type))
        throw refuse('PARAMETER_INVALID', `"${type}" is no entity type`, '/entityType');
    if (this.open.size >= AT_MOST)
      throw refuse(
        'TOO_MANY_REQUESTS',
        `${AT_MOST} exports are under way or wait; try again when one has ended`,
      );
    this.open.add(response);
    try {
      const { signal } = new AbortController();
      await this.limiter.run(() => this.run(principal, request, response, begin), signal);
    } finally {
      this.open.delete(response);
    }
  }

  private async run(
    principal: Principal,
    { selection, cut, skipLines }: Request,
    response: ServerResponse,
    begin: Begin,
  ): Promise<void> {
    if (response.destroyed) return;
    try {
      const model = factsOf(this.model);
      const of = { model: model.digest, ...selection };
      const source = new CatalogExport(this.database, model);
      const { query, entityTypes } = selection;
      const found = query === undefined ? undefined : await this.found(principal, query, entityTypes);
      const more = { ...(found && { found }), ...(cut !== undefined && { cut: cutFrom(cut, of) }) };
      const skip = skipping(skipLines);
      let written = '';
      const began = (made: ExportCut): void => void (written = found ? '' : writeCut(made, of));
      await source.run({ ...selection, ...more, cursor: true, began }, async (part) => {
        const rest = skip(part);
        if (rest.length === 0) return;
        await send(response, rest, () => ({
          ...begin(),
          ...(written !== '' && { 'x-export-cut': written }),
        }));
      });
      if (!response.headersSent)
        throw refuse('PARAMETER_INVALID', 'the export has no more lines than that', '/skipLines');
      response.end();
    } catch (error) {
      if (!response.headersSent) throw error;
      if (!(error instanceof Ended)) this.logger.error(`an export failed: ${String(error)}`);
      response.destroy();
    }
  }

  /** Pages of what a query finds, in the order of the URNs. The first is there, so that what is wrong with it is refused. */
  private async found(
    principal: Principal,
    query: string,
    entityTypes: readonly string[],
  ): Promise<AsyncIterable<string[]>> {
    const entities = entityTypes.length > 0 ? entityTypes : [...this.model.entities.keys()];
    const page = (scrollId?: string) =>
      this.search.scroll(principal, {
        ...{ entities, entitiesPointer: '/entityType', input: query, queryPointer: '/query' },
        ...{ filter: NO_FILTER, includeSoftDeleted: true, sort: [], count: FOUND },
        flags: { ...DEFAULT_FLAGS, skipHighlighting: true, skipAggregates: true },
        ...(scrollId !== undefined && { scrollId }),
      });
    const first = await page();
    return (async function* () {
      for (let { hits, next } = first; ; { hits, next } = await page(next)) {
        yield hits.map(({ urn }) => urn);
        if (next === undefined || hits.length === 0) return;
      }
    })();
  }
}

/** Leaves so many lines out of parts that follow each other. */
function skipping(lines: number): (part: Buffer) => Buffer {
  let left = lines;
  return (part) => {
    let start = 0;
    for (; left > 0; left -= 1) {
      const end = part.indexOf(NEWLINE, start);
      if (end === -1) return part.subarray(part.length);
      start = end + 1;
    }
    return part.subarray(start);
  };
}

/** Waits while the client does not read, and lets other requests have their turn. */
async function send(response: ServerResponse, part: Buffer, begin: Begin): Promise<void> {
  if (!response.headersSent) {
    for (const [name, value] of Object.entries(begin()))
      if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200, {
      'content-type': `${LINES_TYPE}; charset=utf-8`,
      'cache-control': 'no-store',
    });
  }
  if (response.destroyed) throw new Ended();
  const closed = new AbortController();
  const close = (): void => closed.abort();
  response.once('close', close);
  const written = new Promise<void>((resolve) => response.write(part, () => resolve()));
  await Promise.race([written, once(closed.signal, 'abort')]);
  response.off('close', close);
}
