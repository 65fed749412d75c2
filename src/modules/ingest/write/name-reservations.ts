import { columnsOf, type Transaction } from '../../../catalog/store/index.js';
import type { EntityRows } from './entity-rows.js';
import type { Head } from './head.js';
import type { ClaimRow, EntityRow } from '../../entities/index.js';

const e = columnsOf<EntityRow>('e');
const c = columnsOf<ClaimRow>('c');

/**
 * Names that belong to one entity at a time, as one transaction sees them. The first use of a name locks it in the
 * database: of two transactions that want it, the second waits and then sees what the first decided. Owners are
 * decided in memory and written at the end.
 */
export class NameReservations {
  /** Names that were looked at: their owners now; undefined = free. */
  private readonly owners = new Map<string, Head | undefined>();
  private readonly released = new Set<Head>();

  constructor(
    private readonly tx: Transaction,
    private readonly rows: EntityRows,
    /** Notes how to take back a step when the running submission is rolled back. */
    private readonly undo: (step: () => void) => void,
  ) {}

  /** Reserves a name for `head`. @returns the URN of another entity that has it */
  async claim(name: string, head: Head): Promise<string | undefined> {
    const owner = await this.owner(name, head);
    if (owner === head) return undefined;
    if (owner?.live === true) return owner.urn;
    this.set(name, head);
    return undefined;
  }

  async release(name: string, head: Head): Promise<void> {
    if ((await this.owner(name, head)) === head) this.set(name, undefined);
  }

  /** Gives up everything that an entity owns: it is deleted. */
  releaseAll(head: Head): void {
    for (const [name, owner] of this.owners) if (owner === head) this.set(name, undefined);
    if (this.released.has(head)) return;
    this.released.add(head);
    this.undo(() => this.released.delete(head));
  }

  async flush(): Promise<void> {
    for (const { id } of this.released) await this.tx.run('DELETE FROM claim WHERE entity_id = ?', [id]);
    for (const [name, owner] of this.owners) {
      if (owner?.live === true) {
        await this.tx.insert<ClaimRow>('claim', ['name', 'entity_id'], [[name, owner.id]], {
          key: ['name'],
          then: 'update',
          set: ['entity_id'],
        });
      } else await this.tx.run('DELETE FROM claim WHERE name = ?', [name]);
    }
  }

  private async owner(name: string, asking: Head): Promise<Head | undefined> {
    if (this.owners.has(name)) return this.owners.get(name);
    let row = await this.read(name);
    if (row === undefined) {
      await this.tx.insert<ClaimRow>('claim', ['name', 'entity_id'], [[name, asking.id]], {
        key: ['name'],
        then: 'ignore',
      });
      row = await this.read(name);
      // Our own row, a moment old: it locks the name, and says nothing about who owns it.
      if (row?.id === asking.id) row = undefined;
    }
    let owner = row && (row.id === asking.id ? asking : await this.rows.find(row.urn));
    if (owner && this.released.has(owner)) {
      owner = undefined;
      // It is free only as long as that deletion stands.
      this.undo(() => this.owners.delete(name));
    }
    this.owners.set(name, owner);
    return owner;
  }

  private async read(name: string): Promise<{ id: number; urn: string } | undefined> {
    const [row] = await this.tx.all<{ id: number; urn: string }>(
      `SELECT ${e.id} AS id, ${e.urn} AS urn FROM claim c JOIN entity e ON ${e.id} = ${c.entity_id} WHERE ${c.name} = ? ${this.tx.dialect.forUpdate}`,
      [name],
    );
    return row;
  }

  private set(name: string, owner: Head | undefined): void {
    const before = this.owners.get(name);
    this.owners.set(name, owner);
    this.undo(() => this.owners.set(name, before));
  }
}
