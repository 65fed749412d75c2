import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadModel } from '../backing/load-model.js';
import { readConfiguration } from '../config/configuration.js';
import { asJson, UsageError, type Command, type Terminal } from './command.js';
import { CsvError } from './csv/csv-file.js';
import { exportCsv } from './csv/csv-export.js';
import { CsvImport, type CsvReport } from './csv/csv-import.js';
import { isProperty } from './csv/csv-table.js';
import { openSink } from './output-file.js';
import { createProgress } from './progress.js';
import { SERVICE_OPTIONS, SERVICE_USAGE, ServiceClient } from './service-client.js';

const DELIMITERS: Readonly<Record<string, string>> = { ',': ',', ';': ';', tab: '\t' };

/** Tables of a running service for spreadsheet programs, out and in. */
export const csv: Command = {
  usage: `Usage: npm run catalog -- csv export <file|-> [--entity <type>]... [--query <query>] [--columns] [--property <urn>]...
       [--no-properties] [--delimiter <,|;|tab>] [--no-bom] [--replace] [--json]
       npm run catalog -- csv import <file> [--dry-run] [--override] [--skip-refused] [--json]

Writes glossary terms, tags, owners, domains, descriptions and values of structured properties as a table with a row for each
entity, and takes such a table back. docs/guides/spreadsheets.md describes its cells.

  --entity         only entities of this type; may be given several times
  --query          only what this query finds, such as 'platform:snowflake AND NOT hasDescription:true'
  --columns        with a row for each column of a dataset
  --property       only this structured property; may be given several times. Otherwise all that the entities can have
  --no-properties  no structured properties
  --delimiter      what stands between the cells (default ,); with ; numbers have decimal commas
  --no-bom         without the byte order mark by which spreadsheet programs know UTF-8
  --replace        writes over a file that exists
  --dry-run        names each change and each refusal, and writes nothing
  --override       what a cell does not name is taken away; otherwise cells only add, and replace single values
  --skip-refused   takes the other rows when some are refused; otherwise none
  --json           prints the counts as JSON; for an import with each refusal, and for --dry-run with each change
${SERVICE_USAGE}`,

  async run(words, terminal) {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        ...SERVICE_OPTIONS,
        entity: { type: 'string', multiple: true, default: [] },
        query: { type: 'string', default: '*' },
        columns: { type: 'boolean', default: false },
        property: { type: 'string', multiple: true },
        'no-properties': { type: 'boolean', default: false },
        delimiter: { type: 'string', default: ',' },
        'no-bom': { type: 'boolean', default: false },
        replace: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        override: { type: 'boolean', default: false },
        'skip-refused': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const [action, file, ...others] = positionals;
    if (action !== 'export' && action !== 'import') throw new UsageError('say csv export or csv import');
    if (file === undefined || others.length > 0) throw new UsageError('name the one file');
    try {
      return action === 'export'
        ? await exportTable(file, values, terminal)
        : await importTable(file, values, terminal);
    } catch (error) {
      const isFile = error instanceof CsvError || (error instanceof Error && 'syscall' in error);
      if (!isFile) throw error;
      terminal.err(error.message);
      return 1;
    }
  },
};

interface ExportValues {
  server?: string | undefined;
  token?: string | undefined;
  entity: string[];
  query: string;
  columns: boolean;
  property?: string[] | undefined;
  'no-properties': boolean;
  delimiter: string;
  'no-bom': boolean;
  replace: boolean;
  json: boolean;
}

async function exportTable(file: string, values: ExportValues, terminal: Terminal): Promise<number> {
  const delimiter = DELIMITERS[values.delimiter];
  if (delimiter === undefined) throw new UsageError('--delimiter must be one of , ; tab');
  const strange = values.property?.find((urn) => !isProperty(urn));
  if (strange !== undefined) throw new UsageError(`--property ${strange} is no URN of a structured property`);
  if (values.json && file === '-') throw new UsageError('--json is for a file: "-" writes the table itself');
  if (file !== '-' && existsSync(file) && !values.replace)
    throw new UsageError(`${file} exists: --replace writes over it`);
  const model = loadModel(readConfiguration());
  const client = await ServiceClient.from(values);
  const sink = await openSink(file, undefined);
  const bar = await createProgress(0, terminal, 'entities');
  try {
    const options = {
      ...{ entities: values.entity, query: values.query, columns: values.columns, delimiter },
      properties: values['no-properties'] ? [] : values.property,
      byteOrderMark: !values['no-bom'],
      progress: (entities: number) => bar.update(entities, entities),
    };
    const rows = await exportCsv(client, model, options, (part) => sink.write(part));
    await sink.end();
    terminal.err(`${rows} rows exported`);
    if (values.json) terminal.out(asJson({ file, rows }));
    return 0;
  } catch (error) {
    await sink.abandon();
    throw error;
  } finally {
    bar.stop();
  }
}

interface ImportValues {
  server?: string | undefined;
  token?: string | undefined;
  override: boolean;
  'dry-run': boolean;
  'skip-refused': boolean;
  json: boolean;
}

async function importTable(file: string, values: ImportValues, terminal: Terminal): Promise<number> {
  const model = loadModel(readConfiguration());
  const client = await ServiceClient.from(values);
  const { override } = values;
  // What the check has refused is not said again.
  const told = new Map<string, object>();
  const refused = (line: number, column: string, message: string): void => {
    const text = `line ${line} (${column}): ${message}`;
    if (!told.has(text)) terminal.err(text);
    told.set(text, { line, column, message });
  };
  const changes: object[] = [];
  const changed = (line: number, urn: string, change: string): void => {
    if (values.json) changes.push({ line, urn, change });
    else terminal.out(`line ${line}: ${urn}: ${change}`);
  };
  const print = (report: CsvReport, written: boolean): void => {
    if (!values.json) return;
    const refusals = [...told.values()];
    terminal.out(asJson({ written, ...report, refusals, ...(values['dry-run'] && { changes }) }));
  };
  const said = values['dry-run'] ? { refused, changed } : { refused };
  const checked = await new CsvImport(client, model, { override, dryRun: true, ...said }).run(file);
  if (values['dry-run'] || (checked.refused > 0 && !values['skip-refused'])) {
    terminal.err(summary(checked, 'would change'));
    if (!values['dry-run']) terminal.err('nothing is written: correct these rows, or give --skip-refused');
    print(checked, false);
    return checked.refused > 0 ? 1 : 0;
  }
  const report = await new CsvImport(client, model, { override, dryRun: false, refused }).run(file);
  terminal.err(summary(report, 'changed'));
  print(report, true);
  return report.refused > 0 ? 1 : 0;
}

function summary({ rows, changed, refused, kept }: CsvReport, verb: string): string {
  const rest =
    kept > 0 ? `; ${kept} rows leave out what the catalog has, which stays without --override` : '';
  return `${rows} rows: ${changed} ${verb}, ${refused} refused, ${rows - changed - refused} as they are${rest}`;
}
