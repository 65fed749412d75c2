import type { SearchSchema } from '../../../catalog/search/index.js';
import { Columns, unlistedFields } from './columns.js';
import { CommonWords } from './common-words.js';
import { DocumentWriter } from './document-writer.js';
import type { IndexFile } from './index-file.js';

/** The file of an index, and what reads it and writes to it. */
export interface Opened {
  readonly schema: SearchSchema;
  readonly file: IndexFile;
  /** As {@link IndexFile.made}. */
  readonly made: string;
  readonly common: CommonWords;
  readonly columns: Columns;
  readonly writer: DocumentWriter;
}

/** Works on an open file, and sees to what is wrong with it. */
export type Use = <T>(opened: Opened, work: (opened: Opened) => T) => T;

export function openedOf(schema: SearchSchema, file: IndexFile): Opened {
  const common = new CommonWords(file);
  const columns = new Columns(unlistedFields(schema));
  const writer = new DocumentWriter(file, schema, common);
  return { schema, file, made: file.made, common, columns, writer };
}
