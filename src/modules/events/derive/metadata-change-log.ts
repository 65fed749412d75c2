import type { TextForms } from '../../../catalog/store/index.js';
import type { EntryColumns } from '../../change-log/index.js';
import type { ChangedAspect, SeenValue } from './changed-aspect.js';

/** The JSON text of an event of the topics `MetadataChangeLog_*`. */
export function metadataChangeLog({ entry, before, after }: ChangedAspect): string {
  const { entityType, urn, changeType, aspect, time, actor } = entry;
  const values = valueOf(after, ...AFTER) + valueOf(before, ...BEFORE);
  return eventText(entityType, JSON.stringify(urn), changeType, aspect, values, time, JSON.stringify(actor));
}

/** The same of what a database has of a change of a versioned aspect that has a value after it. */
export function printedChangeLog<T>(texts: TextForms<T>, columns: EntryColumns<T>): T {
  const { entityType, urn, changeType, aspect, time, actor, after, before } = columns;
  const text = new TextWithParts(texts);
  const quoted = (column: T): string => text.put(texts.quoted(column));
  const valueOfParts = ({ value, systemMetadata }: EntryColumns<T>['after'], names: Names, own = text) =>
    valueText(own.put(texts.quoted(value)), own.put(systemMetadata), ...names);
  const previous = new TextWithParts(texts);
  const told = previous.of(valueOfParts(before, BEFORE, previous));
  return text.of(
    eventText(
      ...([text.put(entityType), quoted(urn), text.put(changeType), text.put(aspect)] as const),
      valueOfParts(after, AFTER) + text.put(texts.when(before.isThere, told)),
      ...([text.put(time), quoted(actor)] as const),
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

/** Stands in a text for the next part that is put there. */
const MARK = '\0';

/** A text in which others stand, in the order in which they are put there. */
class TextWithParts<T> {
  private readonly parts: T[] = [];

  constructor(private readonly texts: TextForms<T>) {}

  put(part: T): string {
    this.parts.push(part);
    return MARK;
  }

  of(text: string): T {
    const { texts, parts } = this;
    const literals = text.split(MARK).map((literal) => texts.literal(literal));
    return texts.joined(literals.flatMap((literal, i) => [literal, ...parts.slice(i, i + 1)]));
  }
}
