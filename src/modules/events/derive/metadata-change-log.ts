import type { TextExpressions } from '../../../catalog/store/index.js';
import type { EntryColumns } from '../../change-log/index.js';
import type { ChangedAspect, SeenValue } from './changed-aspect.js';

/** The JSON text of an event of the topics `MetadataChangeLog_*`. */
export function metadataChangeLog({ entry, before, after }: ChangedAspect): string {
  const { entityType, urn, changeType, aspect, time, actor } = entry;
  const values = valueOf(after, ...AFTER) + valueOf(before, ...BEFORE);
  return eventText(entityType, JSON.stringify(urn), changeType, aspect, values, time, JSON.stringify(actor));
}

/** The same as an expression of the database, for a change of a versioned aspect that has a value after it. */
export function printedChangeLog(texts: TextExpressions, columns: EntryColumns): string {
  const { entityType, urn, changeType, aspect, time, actor, after, before } = columns;
  const quoted = (column: string): string => inserted(texts.quoted(column));
  const valueSql = ({ value, systemMetadata }: EntryColumns['after'], names: typeof AFTER): string =>
    valueText(quoted(value), inserted(systemMetadata), ...names);
  const previous = expressionOf(texts, valueSql(before, BEFORE));
  const values = valueSql(after, AFTER) + inserted(`CASE WHEN ${before.isThere} THEN ${previous} END`);
  return expressionOf(
    texts,
    eventText(
      ...([inserted(entityType), quoted(urn), inserted(changeType), inserted(aspect)] as const),
      ...([values, inserted(time), quoted(actor)] as const),
    ),
  );
}

type Names = readonly [value: string, metadata: string];
const AFTER: Names = ['aspect', 'systemMetadata'];
const BEFORE: Names = ['previousAspectValue', 'previousSystemMetadata'];

/** Names of the model need no escapes; `urn` and `actor` are JSON already. */
const eventText = (
  entityType: string,
  urn: string,
  changeType: string,
  aspect: string,
  values: string,
  time: string | number,
  actor: string,
): string =>
  `{"entityType":"${entityType}","entityUrn":${urn},"changeType":"${changeType}","aspectName":"${aspect}",` +
  `${values}"created":{"time":${time},"actor":${actor}}}`;

/** A value is told as a text, its metadata as an object: `value` is the JSON of a text of JSON. */
const valueText = (value: string, systemMetadata: string, name: string, metadata: string): string =>
  `"${name}":{"value":${value},"contentType":"application/json"},"${metadata}":${systemMetadata},`;

const valueOf = (seen: SeenValue | undefined, ...names: Names): string =>
  seen === undefined ? '' : valueText(JSON.stringify(seen.text), seen.systemMetadata, ...names);

/** Stands in a text for what the database puts there. */
const MARK = '\0';
const inserted = (expression: string): string => MARK + expression + MARK;

/** The expression of a text in which others stand. */
function expressionOf(texts: TextExpressions, text: string): string {
  return texts.joined(text.split(MARK).map((part, i) => (i % 2 === 1 ? part : texts.literal(part))));
}
