import { createReadStream } from 'node:fs';
import { isDiskFull } from '../adapters/database/index.js';
import { loadModel } from '../backing/load-model.js';
import { auditLogOf } from '../modules/audit/offline.js';
import { openDatabase } from '../backing/open-database.js';
import { makeFolder } from '../backing/data-folder.js';
import { modelDigest } from '../catalog/model/index.js';
import { readConfiguration } from '../config/configuration.js';
import {
  CatalogImport,
  ExportFileError,
  readExport,
  type EndLine,
  type ImportReport,
  type NumberedLine,
} from '../modules/transfer/offline.js';
import { asJson, type Terminal } from './command.js';
import { linesOf } from './lines.js';
import { damageOf, decompressed } from './compression.js';
import { createProgress } from './progress.js';

/** Refusals that are printed one by one. */
const SHOWN = 100;

const FULL = 'the disk of the database is full; make room on it, then call the import again: it goes on';

/** Bytes and checksum of a file that was read to its end. */
interface Verified {
  bytes: number;
  sha256: string;
}

/**
 * Takes an export back into the database of the settings. A file is checked as a whole before anything is written; what
 * comes through a pipe is checked line by line on the way.
 * @param content of standard input; undefined for a file
 */
export async function importExport(
  file: string,
  content: AsyncIterable<Buffer> | undefined,
  { dryRun, json }: { dryRun: boolean; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const verified = content === undefined ? await verify(file) : undefined;
  if (verified instanceof ExportFileError) {
    terminal.err(`${verified.message}; nothing was imported`);
    return 1;
  }
  const configuration = readConfiguration();
  const model = loadModel(configuration);
  makeFolder(configuration.home);
  const database = await openDatabase(configuration);
  const progress = await createProgress(verified?.bytes ?? 0, terminal, 'lines');
  const start = performance.now();
  let shown = 0;
  const audit = auditLogOf(database, configuration.audit === 'on');
  try {
    const report = await new CatalogImport(database, audit, model, modelDigest(model)).run(
      readExport(linesOf(content ?? (await contentOf(file)))),
      {
        dryRun,
        sha256: verified?.sha256,
        progress: (bytes, lines) => progress.update(bytes, lines),
        refused: ({ line, pointer, message }) => {
          shown += 1;
          if (shown <= SHOWN) terminal.err(`line ${line} (${pointer}): ${message}`);
        },
      },
    );
    progress.stop();
    if (shown > SHOWN) terminal.err(`and ${shown - SHOWN} more`);
    say(report, dryRun, (performance.now() - start) / 1000, terminal);
    if (json) terminal.out(asJson({ dryRun, ...report }));
    return report.refusals === 0 ? 0 : 1;
  } catch (error) {
    progress.stop();
    if (isDiskFull(error)) {
      terminal.err(FULL);
      return 1;
    }
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    terminal.err(`${fault}; what stood before was imported as far as the last full batch`);
    return 1;
  } finally {
    await audit.close();
    await database.close();
  }
}

function say(report: ImportReport, dryRun: boolean, seconds: number, terminal: Terminal): void {
  const { entities, aspects, history, events, same, tokens, resumed, refusals } = report;
  if (resumed > 0) terminal.err(`an import of this file had come to line ${resumed}: it went on there`);
  const added = `${entities} entities, ${aspects} aspects, ${history} earlier values, ${events} events`;
  const verb = dryRun ? 'would be imported' : 'imported';
  terminal.err(`${added} ${verb} in ${seconds.toFixed(1)} s; ${same} lines are in the catalog already`);
  if (tokens > 0) terminal.err(`${tokens} tokens are named in the file; make them anew`);
  if (refusals > 0 && !dryRun)
    terminal.err('the batch of the refused lines was not imported, nor what stands behind it');
}

/** Reads all of it, and checks it. */
async function verify(file: string): Promise<Verified | ExportFileError> {
  let bytes = 0;
  let last: NumberedLine | undefined;
  try {
    for await (const line of readExport(linesOf(await contentOf(file)))) {
      bytes += line.bytes;
      last = line;
    }
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    return error instanceof ExportFileError
      ? error
      : new ExportFileError(`line ${(last?.number ?? 0) + 1}: ${fault}`);
  }
  return { bytes, sha256: (last?.line as EndLine).sha256 };
}

async function contentOf(file: string): Promise<AsyncIterable<Buffer>> {
  return (await decompressed(createReadStream(file, { highWaterMark: 256 * 1024 }))).content;
}

/** What is wrong with the file, in words; undefined when it is something else. */
function faultOf(error: unknown): string | undefined {
  return error instanceof ExportFileError ? error.message : damageOf(error);
}
