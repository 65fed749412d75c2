import { createHash } from 'node:crypto';
import { refuse, type CatalogError } from '../../catalog/errors/index.js';
import { readIdentity, unloggedMark, type SqlReader } from '../../catalog/store/index.js';
import { cursorBehind, writeCursor, type LogPlace } from '../change-log/index.js';

/** The moment of an export: what the database can tell later of what was changed since. */
export interface ExportCut {
  /** The database, and which past of it. */
  readonly store: string;
  /** The highest position of the change log. */
  readonly published: number;
  /** The newest entry of the log, and what tells it from one of that number in another past. */
  readonly newest: number;
  readonly mark: string;
  /** Entries up to that one without a position. */
  readonly unpublished: number;
  /** Of changes that the log does not have. */
  readonly unlogged: string;
  /** Of access tokens, where they are exported. */
  readonly tokens: string;
  /** Where the change feed goes on. */
  readonly cursor: string;
}

const UNPUBLISHED = '(position = 0 OR position > ?) AND id <= ?';

/** The moment of a snapshot. @param tokens whether access tokens belong to it */
export async function readCut(reader: SqlReader, tokens: boolean): Promise<ExportCut> {
  const { position: published, cursor } = await placeOf(reader);
  const [last] = await reader.all<{ id: number }>('SELECT MAX(id) AS id FROM change_log');
  const newest = Number(last?.id ?? 0);
  return {
    ...{ store: await storeOf(reader), published, newest, mark: await markOf(reader, newest) },
    unpublished: await count(reader, UNPUBLISHED, [published, newest]),
    unlogged: await unloggedMark(reader),
    tokens: tokens ? await tokensMark(reader) : '',
    cursor,
  };
}

/**
 * Whether what was changed since a moment can be told, as the snapshot has it.
 * @throws CatalogError CURSOR_EXPIRED
 */
export async function checkCut(reader: SqlReader, cut: ExportCut): Promise<void> {
  if (cut.store !== (await storeOf(reader))) throw cutGone('the catalog is another, or was restored');
  const { position } = await placeOf(reader);
  if (position < cut.published || cut.mark !== (await markOf(reader, cut.newest)))
    throw cutGone('the change log does not have its moment');
  if ((await count(reader, 'position > ?', [cut.published])) !== position - cut.published)
    throw cutGone('retention has removed what the change log had of the time since');
  // Numbers are given before the commit: one that was under way may have come to light since, among those before it.
  if ((await count(reader, UNPUBLISHED, [cut.published, cut.newest])) !== cut.unpublished)
    throw cutGone('changes were being written at its moment');
  if (cut.unlogged !== (await unloggedMark(reader)))
    throw cutGone('retention or an import has changed history, events or deleted entities since');
  if (cut.tokens !== '' && cut.tokens !== (await tokensMark(reader)))
    throw cutGone('access tokens have changed since');
}

/** The export that was interrupted cannot go on. */
export function cutGone(reason: string): CatalogError {
  return refuse(
    'CURSOR_EXPIRED',
    `the export cannot go on as of its moment: ${reason}; begin it anew`,
    '/cut',
  );
}

/** As it travels over HTTP. @param of what the export holds: it goes on with the same only */
export function writeCut(cut: ExportCut, of: object): string {
  const { store, published, newest, mark, unpublished, unlogged, tokens, cursor } = cut;
  const fields = [digestOf(of), store, published, newest, mark, unpublished, unlogged, tokens, cursor];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

const TEXT = '"[^"\\\\]*"';
const FORM = new RegExp(`^\\[${[TEXT, TEXT, '\\d+', '\\d+', TEXT, '\\d+', TEXT, TEXT, TEXT].join(',')}\\]$`);

/** @throws CatalogError PARAMETER_INVALID when this service did not write the text, or for an export of something else */
export function cutFrom(text: string, of: object): ExportCut {
  const json = Buffer.from(text, 'base64url').toString();
  if (!FORM.test(json)) throw refuse('PARAMETER_INVALID', 'the cut is none that this service gave', '/cut');
  const [digest, store, published, newest, mark, unpublished, unlogged, tokens, cursor] = JSON.parse(
    json,
  ) as [...[string, string, number, number, string, number, string, string, string]];
  if (digest !== digestOf(of))
    throw refuse(
      'PARAMETER_INVALID',
      'the cut is of an export with other parameters, or another model',
      '/cut',
    );
  return { store, published, newest, mark, unpublished, unlogged, tokens, cursor };
}

const digestOf = (of: object): string =>
  createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 16);

/** Behind what is published: changes of the export that are published later are told to readers once more. */
async function placeOf(reader: SqlReader): Promise<{ position: number; cursor: string }> {
  const [row] = await reader.all<LogPlace>(
    `SELECT position, entity_id AS entityId, sequence, time FROM change_log WHERE position > 0
     ORDER BY position DESC LIMIT 1`,
  );
  if (row === undefined) return { position: 0, cursor: writeCursor({ position: 0, skip: 0, mark: '' }) };
  const place = {
    position: Number(row.position),
    entityId: Number(row.entityId),
    sequence: Number(row.sequence),
    time: Number(row.time),
  };
  return { position: place.position, cursor: writeCursor(cursorBehind(place)) };
}

async function storeOf(reader: SqlReader): Promise<string> {
  const identity = await readIdentity(reader);
  return identity === undefined ? '' : `${identity.database} ${identity.epoch}`;
}

async function markOf(reader: SqlReader, id: number): Promise<string> {
  const [row] = await reader.all<{ entity: number; sequence: number; time: number }>(
    'SELECT entity_id AS entity, sequence, time FROM change_log WHERE id = ?',
    [id],
  );
  return row === undefined ? '' : `${row.entity}.${row.sequence}.${row.time}`;
}

async function tokensMark(reader: SqlReader): Promise<string> {
  const [row] = await reader.all<Record<string, number | null>>(
    `SELECT COUNT(*) AS n, MAX(created_at) AS created, MAX(revoked_at) AS revoked,
       SUM(CASE WHEN revoked_at > 0 THEN 1 ELSE 0 END) AS gone FROM access_token`,
  );
  return Object.values(row ?? {}).join('.');
}

async function count(reader: SqlReader, where: string, params: readonly number[]): Promise<number> {
  const [row] = await reader.all<{ n: number }>(
    `SELECT COUNT(*) AS n FROM change_log WHERE ${where}`,
    params,
  );
  return Number(row?.n ?? 0);
}
