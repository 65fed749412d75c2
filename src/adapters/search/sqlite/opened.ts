import type { SearchSchema } from '../../../catalog/search/index.js';
import { Answers } from './answers.js';
import { Columns, unlistedFields } from './columns/columns.js';
import { DocumentWriter } from './writing/document-writer.js';
import type { IndexFile } from './index-file.js';
import { Matches } from './words/matches.js';
import { SharedSets } from './columns/shared-sets.js';

/** The file of an index, and what reads it and writes to it. */
export interface Opened {
  readonly schema: SearchSchema;
  readonly file: IndexFile;
  /** As {@link IndexFile.made}. */
  readonly made: string;
  readonly matches: Matches;
  readonly columns: Columns;
  readonly answers: Answers;
  readonly shared: SharedSets;
  readonly writer: DocumentWriter;
}

/** Works on an open file, and sees to what is wrong with it. */
export type Use = <T>(opened: Opened, work: (opened: Opened) => T) => T;

export function openedOf(schema: SearchSchema, file: IndexFile): Opened {
  const columns = new Columns(unlistedFields(schema));
  const writer = new DocumentWriter(file, schema);
  return {
    ...{ schema, file, made: file.made, columns, writer },
    ...{ matches: new Matches(), answers: new Answers(), shared: new SharedSets() },
  };
}
