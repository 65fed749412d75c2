import type { SearchSchema } from '../../../catalog/search/index.js';
import { Columns, unlistedFields } from './columns.js';
import { CommonWords } from './common-words.js';
import { DocumentWriter } from './document-writer.js';
import type { IndexFile } from './index-file.js';

/** The file of an index, and what writes to it. */
export interface Opened {
  readonly schema: SearchSchema;
  readonly file: IndexFile;
  readonly common: CommonWords;
  readonly columns: Columns;
  readonly writer: DocumentWriter;
}

/** Works on an open file, and sees to what is wrong with it. */
export type Use = <T>(opened: Opened, work: (opened: Opened) => T) => T;

export function openedOf(schema: SearchSchema, file: IndexFile): Opened {
  const common = new CommonWords(file);
  const columns = new Columns(unlistedFields(schema));
  return { schema, file, common, columns, writer: new DocumentWriter(file, schema, common) };
}
