import { Injectable } from '@nestjs/common';
import { SystemUpdateStep } from '../../catalog/extension/index.js';
import { EdgeBackfill } from '../ingest/index.js';
import { FORMS } from './forms.service.js';

/**
 * Entities refer to their forms by a relationship, by which the references to a deleted form are found. Those that an earlier version of
 * the service stored get it here.
 */
@Injectable()
export class FormEdgesStep extends SystemUpdateStep {
  readonly name = 'forms';

  constructor(private readonly backfill: EdgeBackfill) {
    super();
  }

  async run(report: (line: string) => void): Promise<void> {
    const { length } = await this.backfill.add(FORMS);
    if (length > 0) report(`${length} relationships between entities and their forms were missing`);
  }
}
