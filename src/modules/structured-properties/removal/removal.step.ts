import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { refuse } from '../../../catalog/errors/index.js';
import { SystemUpdateStep } from '../../../catalog/extension/index.js';
import { MissingEdges } from './missing-edges.js';
import { UnreadableValues } from './unreadable-values.js';

/** How long to wait while nothing moves, and between two looks. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;
const MAX_NAMED = 20;

/**
 * Before an index is built anew, the values of deleted properties and of earlier versions must be gone: one of them
 * left would keep its property in the index. Waits as long as the removal goes on, after it has made sure that the
 * removal can find them.
 */
@Injectable()
export class RemovalStep extends SystemUpdateStep {
  readonly name = 'removed structured properties';
  patienceMs = PATIENCE_MS;
  pauseMs = PAUSE_MS;

  constructor(
    private readonly values: UnreadableValues,
    private readonly edges: MissingEdges,
  ) {
    super();
  }

  async run(report: (line: string) => void): Promise<void> {
    const added = await this.edges.add();
    if (added > 0) report(`${added} relationships between values and their properties were missing`);
    let least = Infinity;
    let deadline = Infinity;
    for (;;) {
      const left = [...(await this.values.count())].sort(([a], [b]) => (a < b ? -1 : 1));
      const total = left.reduce((sum, [, entities]) => sum + entities, 0);
      if (total === 0) return report('no values of removed structured properties are left');
      if (total < least) {
        least = total;
        deadline = performance.now() + this.patienceMs;
      }
      for (const [property, entities] of left.slice(0, MAX_NAMED))
        report(`${property} still has values on ${entities} entities`);
      if (performance.now() >= deadline) {
        const names = left.slice(0, MAX_NAMED).map(([property, entities]) => `${property} (${entities})`);
        throw refuse(
          'PRECONDITION_FAILED',
          `values of removed structured properties are left, and their removal does not go on: ${names.join(', ')}`,
        );
      }
      await setTimeout(this.pauseMs);
    }
  }
}
