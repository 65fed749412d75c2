import type { Model } from '../../catalog/model/index.js';
import type { PropertyDefinition } from '../../modules/structured-properties/property-definition.js';
import type { ServiceClient } from '../service-client.js';
import { textCell } from './cells.js';
import { CsvCatalog } from './csv-catalog.js';
import { BYTE_ORDER_MARK, CsvError, csvWriter } from './csv-file.js';
import { CsvTable, definitionsFor, definitionsOf, RESOURCE, SUBRESOURCE } from './csv-table.js';
import { Draft, schemaColumns } from './draft.js';

/** Rows that are written at once. */
const ROWS = 200;

export interface CsvExportOptions {
  /** Types of entities; none: all that a table can say something of. */
  readonly entities: readonly string[];
  readonly query: string;
  /** Whether each column of a dataset has a row of its own. */
  readonly columns: boolean;
  /** URNs of structured properties; undefined: all that the entities can have. */
  readonly properties: readonly string[] | undefined;
  readonly delimiter: string;
  readonly byteOrderMark: boolean;
  readonly progress?: (entities: number) => void;
}

/** Writes a table of what is found in a running service, in the order of the URNs. @returns rows */
export async function exportCsv(
  client: ServiceClient,
  model: Model,
  options: CsvExportOptions,
  write: (part: Buffer) => Promise<void>,
): Promise<number> {
  const catalog = new CsvCatalog(client);
  const { delimiter, columns } = options;
  const table = CsvTable.of(model, await properties(catalog, options), { delimiter, actor: '' });
  const linesOf = await csvWriter(delimiter);
  const headers = [RESOURCE, SUBRESOURCE, ...table.headers].filter((name) => name !== 'ownership_type_urn');
  await write(Buffer.from((options.byteOrderMark ? BYTE_ORDER_MARK : '') + linesOf([headers])));
  const types = options.entities.length > 0 ? options.entities : table.types();
  const aspects = [...new Set(types.flatMap((type) => table.aspectsOf(type, columns)))];
  let [rows, entities, waiting]: [number, number, string[][]] = [0, 0, []];
  for await (const entity of catalog.list({ entities: types, query: options.query, aspects })) {
    const spec = model.entities.get(entity.urn.split(':')[2]!);
    // Of a model that this program does not know.
    if (spec === undefined) continue;
    const draft = new Draft(spec, entity);
    const paths = columns ? schemaColumns(draft).map(({ fieldPath }) => fieldPath) : [];
    for (const column of [undefined, ...paths]) {
      const cells = table.fields.flatMap((field) =>
        field.fits({ draft, column }) ? field.cells({ draft, column }) : field.headers.map(() => ''),
      );
      cells.splice(table.headers.indexOf('ownership_type_urn'), 1);
      waiting.push([entity.urn, textCell(column ?? ''), ...cells]);
    }
    entities += 1;
    if (waiting.length < ROWS) continue;
    await write(Buffer.from(linesOf(waiting)));
    rows += waiting.length;
    waiting = [];
    options.progress?.(entities);
  }
  if (waiting.length > 0) await write(Buffer.from(linesOf(waiting)));
  return rows + waiting.length;
}

async function properties(
  catalog: CsvCatalog,
  options: CsvExportOptions,
): Promise<ReadonlyMap<string, PropertyDefinition>> {
  if (options.properties === undefined) return definitionsFor(catalog, options.entities);
  const found = await definitionsOf(catalog, options.properties);
  const missing = options.properties.find((urn) => !found.has(urn));
  if (missing !== undefined) throw new CsvError(`${missing} does not exist`);
  return found;
}
