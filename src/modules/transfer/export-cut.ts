import { createHash } from 'node:crypto';
import { refuse, type CatalogError } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { readIdentity, unloggedMark, type SqlReader } from '../../catalog/store/index.js';
import { tokensMark } from '../auth/offline.js';
import {
  changeOf,
  countBehind,
  countUnpublished,
  cursorBehind,
  lastPublished,
  newestChange,
  writeCursor,
} from '../change-log/offline.js';

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

/** The moment of a snapshot. @param tokens whether access tokens belong to it */
export async function readCut(reader: SqlReader, tokens: boolean): Promise<ExportCut> {
  const { position: published, cursor } = await placeOf(reader);
  const { id: newest, mark } = (await newestChange(reader)) ?? { id: 0, mark: '' };
  return {
    ...{ store: await storeOf(reader), published, newest, mark },
    unpublished: await countUnpublished(reader, { published, newest }),
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
  if (position < cut.published || cut.mark !== ((await changeOf(reader, cut.newest))?.mark ?? ''))
    throw cutGone('the change log does not have its moment');
  if ((await countBehind(reader, cut.published)) !== position - cut.published)
    throw cutGone('retention has removed what the change log had of the time since');
  // Numbers are given before the commit: one that was under way may have come to light since, among those before it.
  if ((await countUnpublished(reader, cut)) !== cut.unpublished)
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
  const [digest, store, published, newest, mark, unpublished, unlogged, tokens, cursor] = readJson(json) as [
    ...[string, string, number, number, string, number, string, string, string],
  ];
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
  const last = await lastPublished(reader);
  const cursor = last ? cursorBehind(last) : { position: 0, skip: 0, mark: '' };
  return { position: cursor.position, cursor: writeCursor(cursor) };
}

async function storeOf(reader: SqlReader): Promise<string> {
  const identity = await readIdentity(reader);
  return identity === undefined ? '' : `${identity.database} ${identity.epoch}`;
}
