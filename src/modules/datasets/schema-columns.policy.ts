import { Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { CatalogError, type ErrorDetail } from '../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../catalog/extension/index.js';

/** The list of columns in each aspect that has one. */
const COLUMNS: Readonly<Record<string, string>> = {
  schemaMetadata: 'fields',
  editableSchemaMetadata: 'editableSchemaFieldInfo',
};

/** A column is known by its path: none without one, and no two with the same. */
@Injectable()
export class SchemaColumnsPolicy extends ProposalPolicy {
  readonly aspects = Object.keys(COLUMNS);

  async judge(proposal: ChangeProposal, { next }: PolicyContext): Promise<void> {
    const list = COLUMNS[proposal.aspect.name];
    const columns = next && list ? (next[list] as Array<{ fieldPath: string }> | undefined) : undefined;
    if (columns === undefined) return;
    const wrong: ErrorDetail[] = [];
    const seen = new Set<string>();
    columns.forEach(({ fieldPath }, i) => {
      const message =
        fieldPath.trim() === ''
          ? 'a column needs a fieldPath'
          : seen.has(fieldPath)
            ? `the column ${fieldPath} is there twice`
            : undefined;
      seen.add(fieldPath);
      if (message)
        wrong.push({
          pointer: `${proposal.pointer}${proposal.valuePointer}/${list}/${i}/fieldPath`,
          message,
        });
    });
    if (wrong.length > 0)
      throw new CatalogError('RULE_VIOLATED', wrong[0]?.message ?? '', wrong.slice(0, 20));
  }
}
