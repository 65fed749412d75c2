import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openDatabase } from '../backing/open-database.js';
import { loadModelFacts } from '../backing/load-model-facts.js';
import { readConfiguration } from '../config/configuration.js';
import {
  CatalogExport,
  ExportFileError,
  MetadataFile,
  type ExportCut,
  type ExportOptions,
} from '../modules/transfer/offline.js';
import { asJson, UsageError, type Command, type Terminal } from './command.js';
import { openSink } from './output-file.js';
import type { Compression } from './compression.js';
import { exportFromService } from './export-query.js';
import { createProgress } from './progress.js';
import { leftOf, openResumable, type Left } from './resumable-file.js';
import { SERVICE_OPTIONS, SERVICE_USAGE, ServiceClient } from './service-client.js';

/** Reads the command line. @throws UsageError for options that do not go together */
function readWords(words: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      entity: { type: 'string', multiple: true, default: [] },
      ...SERVICE_OPTIONS,
      urn: { type: 'string', multiple: true, default: [] },
      query: { type: 'string' },
      'no-history': { type: 'boolean', default: false },
      'no-timeseries': { type: 'boolean', default: false },
      secrets: { type: 'boolean', default: false },
      tokens: { type: 'boolean', default: false },
      'no-cursor': { type: 'boolean', default: false },
      format: { type: 'string' },
      gzip: { type: 'boolean', default: false },
      zstd: { type: 'boolean', default: false },
      replace: { type: 'boolean', default: false },
      resume: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError('name the one file to write');
  if (values.gzip && values.zstd) throw new UsageError('give --gzip or --zstd, not both');
  if (values.json && file === '-') throw new UsageError('--json is for a file: "-" writes the export itself');
  if (values.format !== undefined && values.format !== 'metadata-file')
    throw new UsageError('--format must be metadata-file');
  if (values.format !== undefined && values.tokens)
    throw new UsageError('--tokens is of no use in a metadata file');
  const metadata = values.format === undefined ? undefined : new MetadataFile();
  if (values.resume && values.query !== undefined)
    throw new UsageError(
      '--resume does not go with --query: what a search found is not kept, and later it finds something else; begin the export anew',
    );
  if (values.resume && (file === '-' || metadata !== undefined))
    throw new UsageError('--resume goes neither with "-" nor with --format');
  if (values.query !== undefined && (values.secrets || values['no-cursor'] || metadata !== undefined))
    throw new UsageError('--query goes neither with --secrets nor with --no-cursor nor with --format');
  if (file !== '-' && existsSync(file) && !values.replace)
    throw new UsageError(`${file} exists: --replace writes over it`);
  const compression: Compression | undefined = values.gzip ? 'gzip' : values.zstd ? 'zstd' : undefined;
  return { file, values, compression, metadata };
}

/** Writes the catalog as lines of JSON, from one moment of the database. */
export const exportFile: Command = {
  usage: `Usage: npm run catalog -- export <file|-> [--entity <type>] [--urn <pattern>] [--no-history] [--no-timeseries]
       [--query <query>] [--secrets] [--tokens] [--no-cursor] [--gzip | --zstd] [--replace]
       [--resume] [--format metadata-file] [--json]

Writes all entities with their aspects, stamps, versions, history and events, as they are at one moment, from the database of
CATALOG_HOME or CATALOG_DATABASE_URL, also while the service runs. "-" writes to standard output. The import command takes the
file back. docs/guides/export-and-import.md describes its lines.

  --entity         only entities of this type; may be given several times
  --urn            only entities whose URN has this form, in which * stands for any text; may be given several times
  --query          only entities that a search for this finds, in the syntax of the search box behind "/q "; the running service is
                   asked, so not with --secrets, --no-cursor and --format
  --no-history     without earlier values and deleted entities
  --no-timeseries  without events of time-series aspects
  --secrets        with the aspects that no other surface shows, such as the values of secrets
  --tokens         with what is known of access tokens; never the tokens, so they cannot be taken back
  --no-cursor      without the place in the change feed, so that two catalogs with the same data write the same bytes
  --format         metadata-file: a JSON array of change proposals, as the "file" sink of the ingestion framework writes and its
                   "file" source reads: the latest values and the events, without versions, stamps and history
  --gzip, --zstd   packed
  --replace        writes over a file that exists
  --resume         goes on with an export to this file that was interrupted, as of the same moment and with the same options; begins
                   anew where there is none; refused when the catalog no longer has what it was at that moment, and with --query
  --json           prints how much was written as JSON
With --query:
${SERVICE_USAGE}`,

  async run(words, terminal) {
    const { file, values, compression, metadata } = readWords(words);
    if (values.query !== undefined) {
      const client = await ServiceClient.from(values);
      const parameters = parametersOf({ ...values, query: values.query });
      return exportFromService(client, parameters, { file, compression, json: values.json }, terminal);
    }
    const configuration = readConfiguration();
    const model = await loadModelFacts(configuration);
    for (const type of values.entity)
      if (!Object.hasOwn(model.keys, type)) throw new UsageError(`the model has no entity ${type}`);
    const database = await openDatabase(configuration);
    try {
      const catalog = new CatalogExport(database, model);
      const options: ExportOptions = {
        entityTypes: values.entity,
        urns: values.urn,
        history: metadata === undefined && !values['no-history'],
        timeseries: !values['no-timeseries'],
        secrets: values.secrets,
        tokens: values.tokens,
        cursor: !values['no-cursor'],
        ...(metadata && { first: 'structuredProperty' }),
      };
      const to: Omit<Destination, 'left'> = { file, compression, metadata, json: values.json };
      const left = values.resume ? await leftOf(file) : undefined;
      if (values.resume && left === undefined)
        terminal.err(`no export to ${file} was interrupted: this one begins anew`);
      return await write(catalog, options, { ...to, left }, terminal);
    } finally {
      await database.close();
    }
  },
};

function parametersOf(values: {
  query: string;
  entity: string[];
  urn: string[];
  tokens: boolean;
  'no-history': boolean;
  'no-timeseries': boolean;
}): URLSearchParams {
  const parameters = new URLSearchParams({
    query: values.query,
    history: String(!values['no-history']),
    timeseries: String(!values['no-timeseries']),
    tokens: String(values.tokens),
  });
  for (const type of values.entity) parameters.append('entityType', type);
  for (const pattern of values.urn) parameters.append('urn', pattern);
  return parameters;
}

interface Destination {
  file: string;
  compression: Compression | undefined;
  metadata: MetadataFile | undefined;
  json: boolean;
  /** Of an export that was interrupted. */
  left: Left | undefined;
}

async function write(
  catalog: CatalogExport,
  options: ExportOptions,
  to: Destination,
  terminal: Terminal,
): Promise<number> {
  const { file, compression, metadata, left } = to;
  const start = performance.now();
  let bar: Awaited<ReturnType<typeof createProgress>> | undefined;
  let making: Promise<unknown> | undefined;
  const progress: NonNullable<ExportOptions['progress']> = ({ total, entities, lines }) => {
    making ??= createProgress(total, terminal, 'lines').then((made) => (bar = made));
    bar?.update(entities, lines);
  };
  const resumable = file === '-' || metadata ? undefined : await openResumable(file, compression, left);
  const sink = resumable ?? (await openSink(file, compression));
  const resumed = left && { cut: left.cut, kept: { lines: left.content, after: left.after } };
  try {
    const began = resumable && { began: (cut: ExportCut) => resumable.begin(cut) };
    const counts = await catalog.run({ ...options, ...began, ...resumed, progress }, (part) =>
      sink.write(metadata ? metadata.convert(part) : part),
    );
    if (metadata) await sink.write(metadata.end());
    await sink.end();
    await making;
    bar?.stop();
    const seconds = (performance.now() - start) / 1000;
    const { entities, aspects, history, events, tokens } = counts;
    const lines = metadata ? aspects + events : entities + aspects + history + events + tokens + 2;
    const said = [
      `${entities} entities`,
      `${aspects} aspects`,
      `${history} earlier values`,
      `${events} events`,
    ];
    if (options.tokens) said.push(`${tokens} tokens`);
    if (left) terminal.err(`${left.lines} lines were there: the export went on behind them`);
    terminal.err(
      `${said.join(', ')} in ${lines} ${metadata ? 'proposals' : 'lines'} exported in ${seconds.toFixed(1)} s`,
    );
    const kept = left && { kept: left.lines };
    if (to.json) terminal.out(asJson({ file, entities, aspects, history, events, tokens, lines, ...kept }));
    return 0;
  } catch (error) {
    await making;
    bar?.stop();
    const unwritten = error instanceof Error && 'syscall' in error;
    // What is whole of it stays for --resume, unless the file itself is the trouble.
    if (resumable === undefined || unwritten) await sink.abandon();
    else sink.leave();
    if (error instanceof ExportFileError) {
      terminal.err(error.message);
      return 1;
    }
    if (!unwritten) throw error;
    terminal.err(`the export could not be written: ${error.message}`);
    return 1;
  }
}
