import { readJson } from '../../catalog/json/index.js';
import type { ExportLine } from './export-format.js';

/** What clients know of system metadata. Versions and stamps are given anew where the file is read. */
const KEPT = [
  'lastObserved',
  'runId',
  'lastRunId',
  'pipelineName',
  'registryName',
  'registryVersion',
] as const;

/**
 * Writes an export as the `file` sink of the ingestion framework writes: an array of change proposals, each the latest value of
 * an aspect, or an event.
 */
export class MetadataFile {
  private separator = '[\n';

  /** @param lines of an export, whole ones */
  convert(lines: Buffer): Buffer {
    let text = '';
    for (const line of lines.toString().split('\n')) {
      const proposal = line === '' ? undefined : proposalOf(readJson(line) as ExportLine);
      if (proposal === undefined) continue;
      text += this.separator + JSON.stringify(proposal);
      this.separator = ',\n';
    }
    return Buffer.from(text);
  }

  end(): Buffer {
    return Buffer.from(this.separator === '[\n' ? '[]\n' : '\n]\n');
  }
}

function proposalOf(line: ExportLine): object | undefined {
  if (line.kind !== 'aspect' && line.kind !== 'event') return undefined;
  const { entityType, entityUrn, aspectName, aspect, systemMetadata } = line;
  const known = KEPT.filter((name) => systemMetadata[name] !== undefined);
  return {
    ...{ entityType, entityUrn, changeType: 'UPSERT', aspectName },
    aspect: { json: withoutGenerations(aspect.json) },
    systemMetadata: Object.fromEntries(known.map((name) => [name, systemMetadata[name]])),
  };
}

/** Which definition a value of a structured property belongs to is stored beside it; no schema has it. */
function withoutGenerations(json: Record<string, unknown>): object {
  const { properties } = json;
  if (!Array.isArray(properties)) return json;
  return {
    ...json,
    properties: properties.map((value: Record<string, unknown>) => {
      const { generation: _, ...rest } = value;
      return rest;
    }),
  };
}
