import { deleteFact, writeFact, type Transaction } from '../../catalog/store/index.js';
import { lazyLog } from './lazy-log.js';

/** More than the free end of a page: what is tried must need room on the disk. */
const PROBE_BYTES = 32 * 1024;

/**
 * Remembers why writes fail when it is not the request's fault, and finds out when they work again. A probe is only
 * written while there is trouble, so a healthy store pays nothing.
 */
export class WriteTrouble {
  private known: { reason: string; lasting: boolean } | undefined;

  /** @param lasting until the process starts anew, whatever a probe says */
  note(reason: string, lasting = false): void {
    if (this.known?.lasting === true || this.known?.reason === reason) return;
    lazyLog('error', `${reason}; writes are refused until that is over`);
    this.known = { reason, lasting };
  }

  /** Why nothing can be written until the process starts anew. */
  get lasting(): string | undefined {
    return this.known?.lasting === true ? this.known.reason : undefined;
  }

  /** Why writes fail now; undefined when they do not, as far as is known. */
  async look(
    transaction: (work: (tx: Transaction) => Promise<unknown>) => Promise<unknown>,
  ): Promise<string | undefined> {
    if (this.known === undefined || this.known.lasting) return this.known?.reason;
    try {
      await transaction((tx) => writeFact(tx, 'probe', 'x'.repeat(PROBE_BYTES)));
      await transaction((tx) => deleteFact(tx, 'probe'));
    } catch {
      return this.known.reason;
    }
    lazyLog('log', 'the database can be written again');
    this.known = undefined;
    return undefined;
  }
}
