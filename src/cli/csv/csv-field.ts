import type { EntitySpec } from '../../catalog/model/index.js';
import type { Subject } from './draft.js';

/** Why a row is refused, and for which of its columns. */
export interface RowFault {
  readonly column: string;
  readonly message: string;
}

/** How a file is to be understood. */
export interface RowMode {
  /** A cell says all that there is: what it does not name is taken away, and an empty one takes everything. */
  readonly override: boolean;
}

/** What becomes of the cells of a row. */
export interface RowPlan {
  /** For the person, such as `tags + urn:li:tag:PII`. */
  readonly changes: string[];
  readonly faults: RowFault[];
  /** Whether something stays that the cells do not name. */
  kept: boolean;
}

/** One thing that a table says, in one column or in several. */
export interface CsvField {
  readonly headers: readonly string[];
  /** Aspects that it reads. */
  aspects(spec: EntitySpec): readonly string[];
  /** Whether such a thing can have it. */
  fits(subject: Subject): boolean;
  /** What is there, as the cells of its columns. */
  cells(subject: Subject): string[];
  /** URNs that the cells name and that must exist. */
  mentions(cells: readonly string[], subject: Subject): string[];
  /**
   * Changes the draft so that it says what the cells say. Called for cells that differ from {@link cells}.
   * @param exists whether there is an entity that {@link mentions} named
   */
  apply(
    subject: Subject,
    cells: readonly string[],
    mode: RowMode,
    row: { line: number; plan: RowPlan; exists: (urn: string) => boolean },
  ): void;
}
