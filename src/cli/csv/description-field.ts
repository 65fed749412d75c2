import type { EntitySpec } from '../../catalog/model/index.js';
import { descriptionPlace } from '../../modules/datasets/description-place.js';
import { withText } from '../../modules/ingest/edits/text-place.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import { readText, textCell } from './cells.js';
import type { Value } from './csv-catalog.js';
import type { CsvField } from './csv-field.js';
import { columnEntry, putColumnEntry, schemaColumns, type Subject } from './draft.js';

const HEADER = 'description';

/** What people wrote about something, else what its source says. People's words are written. */
export function descriptionField(stamp: () => Value): CsvField {
  return {
    headers: [HEADER],
    aspects(spec) {
      const place = descriptionPlace(spec);
      return [place?.aspect, sourceAspect(spec)].filter((name) => name !== undefined);
    },
    fits: ({ draft, column }) => column !== undefined || descriptionPlace(draft.spec) !== undefined,
    cells: (subject) => [textCell(written(subject) || fromSource(subject))],
    mentions: () => [],
    apply(subject, [cell = ''], mode, { line, plan }) {
      const text = readText(cell);
      const before = written(subject) || fromSource(subject);
      if (sameLines(text, before)) return;
      if (text === '' && !mode.override) {
        plan.kept = true;
        return;
      }
      if (text === '' && written(subject) === '') {
        const message = 'this description comes from its source, and cannot be taken away here';
        plan.faults.push({ column: HEADER, message });
        return;
      }
      plan.changes.push(`${HEADER} ${shown(before)} -> ${shown(text)}`);
      write(subject, text, line, stamp());
    },
  };
}

function written(subject: Subject): string {
  if (subject.column !== undefined) return text(columnEntry(subject)?.['description']);
  const place = descriptionPlace(subject.draft.spec);
  return place === undefined ? '' : text(subject.draft.value(place.aspect)?.[place.field]);
}

function fromSource({ draft, column }: Subject): string {
  if (column !== undefined)
    return text(schemaColumns(draft).find(({ fieldPath }) => fieldPath === column)?.description);
  const aspect = sourceAspect(draft.spec);
  return aspect === undefined ? '' : text(draft.value(aspect)?.['description']);
}

function write(subject: Subject, description: string, line: number, stamp: Value): void {
  const { draft } = subject;
  if (subject.column !== undefined) {
    putColumnEntry(subject, { ...columnEntry(subject), description }, line);
    return;
  }
  const place = descriptionPlace(draft.spec, tryParseUrn(draft.urn)?.id)!;
  const value = withText(place, description, draft.value(place.aspect), stamp);
  if (value !== undefined) draft.put(place.aspect, value, line);
}

/** The aspect in which its source describes an entity that people describe in another one. */
function sourceAspect({ name, aspects }: EntitySpec): string | undefined {
  if (!descriptionPlace({ name, aspects } as EntitySpec)?.aspect.startsWith('editable')) return undefined;
  const found = [...aspects.values()].find(
    (aspect) =>
      /^(?!editable).*(?:Properties|Info)$/.test(aspect.name) && aspect.schema.properties?.['description'],
  );
  return found?.name;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Spreadsheets write the ends of lines inside a cell in their own way. */
const sameLines = (a: string, b: string): boolean => a.replace(/\r\n?/g, '\n') === b.replace(/\r\n?/g, '\n');

const MOST_SHOWN = 60;
const shown = (value: string): string =>
  JSON.stringify(value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value);
