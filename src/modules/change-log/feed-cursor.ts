import { refuse } from '../../catalog/errors/index.js';
import type { FeedCursor } from './change-feed.js';

/** `position.skip.mark`, and the version of this form before it. */
const FORM = /^1:(\d{1,15})\.(\d{1,10})\.((?:\d+\.\d+\.\d+)?)$/;

/** The text of a cursor; opaque to clients. */
export function writeCursor({ position, skip, mark }: FeedCursor): string {
  return Buffer.from(`1:${position}.${skip}.${mark}`).toString('base64url');
}

/** @throws CatalogError PARAMETER_INVALID when this service did not write the text */
export function readCursor(text: string, pointer = '/offsetId'): FeedCursor {
  const [, position, skip, mark] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (position === undefined)
    throw refuse('PARAMETER_INVALID', 'the offset is none that this service gave', pointer);
  return { position: Number(position), skip: Number(skip), mark: mark ?? '' };
}
