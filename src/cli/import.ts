import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { StartError } from '../config/start-error.js';
import { asJson, UsageError, type Command, type Terminal } from './command.js';
import { connectionOf } from './connection.js';
import { isArray, itemsOf, type Item } from './array-items.js';
import { linesOf } from './lines.js';
import { isExport } from '../modules/transfer/export-format.js';
import { damageOf, decompressed } from './compression.js';
import { createProgress } from './progress.js';
import { LineError, readProposal, type ProposalLine } from './proposal-line.js';
import { ProposalSender, SendError } from './proposal-sender.js';

/** The service takes 16 MiB unless told otherwise; a batch stays below that with its wrapping and escapes. */
const MAX_BATCH_SIZE = 6 * 1024 * 1024;

interface Source {
  name: string;
  input: AsyncIterable<Buffer>;
  /** Bytes; 0 when unknown. */
  size: number;
}

/** Takes an export back, or sends proposals line by line, in their order: what comes later may need what came before. */
export const importFile: Command = {
  usage: `Usage: npm run catalog -- import <export> [--dry-run] [--json]
       npm run catalog -- import <file.jsonl> [--server <url>] [--token <token>] [--batch 200] [--json]

An export is taken back as it was written, straight into the database of CATALOG_HOME or CATALOG_DATABASE_URL, also while
the service runs: versions, stamps, history and events. A file is checked before anything is written. What the catalog has
already must be the same. An import that was interrupted goes on where it ended when it is called again.

  --dry-run  writes nothing, and says what would be imported and what would be refused

Any other file has one change proposal in each line:
  {"entityType", "entityUrn", "changeType", "aspectName", "aspect": {"json": {...}}}
or with "aspect": {"value": "<JSON text>", "contentType": "application/json"}.
or is what the "file" sink of the ingestion framework writes: a JSON array of change proposals and snapshots.
A batch is taken as a whole or not at all. Importing a file again changes nothing.

  --server  where the service is (default http://localhost:<PORT>)
  --token   default: CATALOG_TOKEN, else CATALOG_ADMIN_TOKEN, else the file <CATALOG_HOME>/admin-token
  --batch   proposals in one request, 1 to 1000 (default 200)
  --json    print how much was imported as JSON

"-" reads standard input. Files packed with gzip or zstd are unpacked.`,

  async run(words, terminal) {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: {
        server: { type: 'string' },
        token: { type: 'string' },
        batch: { type: 'string', default: '200' },
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new UsageError('name the one file to import');
    const batch = /^\d{1,4}$/.test(values.batch) ? Number(values.batch) : 0;
    if (batch < 1 || batch > 1000) throw new UsageError('--batch must be a whole number from 1 to 1000');
    const { server, token } = await connectionOf(values);
    const source = await open(file);
    if (source === undefined) {
      terminal.err(`cannot read ${file}`);
      return 1;
    }
    const { compression, beginning, content } = await decompressed(source.input).catch((error: unknown) => {
      const damage = damageOf(error);
      throw damage === undefined ? error : new StartError(`line 1: ${damage}`);
    });
    if (isExport(beginning)) {
      if (values.server !== undefined || values.token !== undefined)
        throw new UsageError('an export is taken back without a service: --server and --token are of no use');
      const { importExport } = await import('./import-export.js');
      const { 'dry-run': dryRun, json } = values;
      return importExport(file, file === '-' ? content : undefined, { dryRun, json }, terminal);
    }
    if (values['dry-run']) throw new UsageError('--dry-run is for exports only');
    if (compression !== undefined) source.size = 0;
    const items = isArray(beginning) ? itemsOf(content) : numbered(linesOf(content));
    const sender = new ProposalSender(server, token);
    return send(source, items, sender, { batch, json: values.json }, terminal);
  },
};

async function send(
  source: Source,
  items: AsyncIterable<Item>,
  sender: ProposalSender,
  { batch, json }: { batch: number; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const progress = await createProgress(source.size, terminal);
  const start = performance.now();
  let sent = 0;
  let failure: string | undefined;
  try {
    for await (const { proposals, bytes } of batches(items, batch)) {
      await sender.send(proposals);
      sent += proposals.length;
      progress.update(bytes, sent);
    }
  } catch (error) {
    if (!(error instanceof LineError || error instanceof SendError || isFileError(error))) throw error;
    failure = error.message;
  } finally {
    progress.stop();
  }
  const seconds = (performance.now() - start) / 1000;
  if (failure !== undefined) terminal.err(failure);
  terminal.err(`${sent} proposals of ${source.name} imported in ${seconds.toFixed(1)} s`);
  if (json) terminal.out(asJson({ proposals: sent, ...(failure !== undefined && { failure }) }));
  return failure === undefined ? 0 : 1;
}

async function* numbered(lines: AsyncIterable<Buffer>): AsyncGenerator<Item> {
  let [line, end] = [0, 0];
  for await (const text of lines) {
    line += 1;
    end += text.length + 1;
    yield { text, line, end };
  }
}

/** Groups items into requests of one kind, limited in number and size. `bytes` is how much of the file has been read. */
async function* batches(
  items: AsyncIterable<Item>,
  limit: number,
): AsyncGenerator<{ proposals: ProposalLine[]; bytes: number }> {
  let proposals: ProposalLine[] = [];
  let size = 0;
  let bytes = 0;
  for await (const { text, line, end } of items) {
    let next: ProposalLine | undefined;
    try {
      next = readProposal(text, line);
    } catch (error) {
      // What stands before the bad line is good and goes first, so that the count and the line agree.
      if (proposals.length > 0) yield { proposals, bytes };
      throw error;
    }
    const full =
      proposals.length === limit ||
      size + (next?.size ?? 0) > MAX_BATCH_SIZE ||
      proposals[0]?.snapshot !== next?.snapshot;
    if (next && proposals.length > 0 && full) {
      yield { proposals, bytes };
      proposals = [];
      size = 0;
    }
    bytes = end;
    if (!next) continue;
    proposals.push(next);
    size += next.size;
  }
  if (proposals.length > 0) yield { proposals, bytes };
}

async function open(file: string): Promise<Source | undefined> {
  if (file === '-') return { name: 'standard input', input: process.stdin, size: 0 };
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  return { name: file, input: createReadStream(file), size: stats.size };
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
