import type { ChangedAspect, SeenValue } from './changed-aspect.js';

/** The JSON text of an event of the topics `MetadataChangeLog_*`. */
export function metadataChangeLog({ entry, before, after }: ChangedAspect): string {
  const { entityType, urn, changeType, aspect, time, actor } = entry;
  // Names of the model need no escapes.
  return (
    `{"entityType":"${entityType}","entityUrn":${JSON.stringify(urn)},` +
    `"changeType":"${changeType}","aspectName":"${aspect}",` +
    valuePart(after, 'aspect', 'systemMetadata') +
    valuePart(before, 'previousAspectValue', 'previousSystemMetadata') +
    `"created":{"time":${time},"actor":${JSON.stringify(actor)}}}`
  );
}

/** Both texts are JSON already: the value is told as a text, its metadata as an object. */
function valuePart(value: SeenValue | undefined, name: string, metadata: string): string {
  if (value === undefined) return '';
  return (
    `"${name}":{"value":${JSON.stringify(value.text)},"contentType":"application/json"},` +
    `"${metadata}":${value.systemMetadata},`
  );
}
