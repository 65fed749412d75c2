import { createHash } from 'node:crypto';
import { isRecord } from '../../../catalog/model/index.js';

/** The whole table, the partition that an event speaks of when it names none. */
const WHOLE = 'FULL_TABLE_SNAPSHOT';

/** The identity is part of a key; a longer one is stored as its digest. */
const MAX_KEY_BYTES = 512;

/**
 * Time and identity of one event. Events of one instant are told apart by granularity, partition and message
 * id; the same event sent again replaces itself, because clients repeat requests.
 */
export function timeseriesEvent(value: Record<string, unknown>): {
  time: number;
  message: string;
  text: string;
} {
  const { timestampMillis, eventGranularity: window, partitionSpec, messageId } = value;
  const partition = isRecord(partitionSpec) ? textOf(partitionSpec['partition'], WHOLE) : WHOLE;
  const parts = [
    isRecord(window) ? `${textOf(window['unit'], '')}*${textOf(window['multiple'], '1')}` : '',
    partition === WHOLE ? '' : partition,
    typeof messageId === 'string' ? messageId : '',
  ];
  return {
    time: Number(timestampMillis),
    message: parts.every((part) => part === '') ? '' : keyOf(JSON.stringify(parts)),
    text: JSON.stringify(value),
  };
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : fallback;
}

function keyOf(text: string): string {
  if (Buffer.byteLength(text) <= MAX_KEY_BYTES) return text;
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
