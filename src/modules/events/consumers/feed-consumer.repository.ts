import { Injectable } from '@nestjs/common';
import { Database, type SqlReader } from '../../../catalog/store/index.js';
import { FEED_CONSUMER_COLUMNS, type FeedConsumerRow } from './entities/feed-consumer.row.js';

const SELECT = `SELECT ${FEED_CONSUMER_COLUMNS.join(', ')} FROM feed_consumer`;

/** The registered readers of the change feed. */
@Injectable()
export class FeedConsumerRepository {
  constructor(private readonly database: Database) {}

  all(): Promise<FeedConsumerRow[]> {
    return read(this.database, `${SELECT} ORDER BY name`, []);
  }

  async find(name: string): Promise<FeedConsumerRow | undefined> {
    return (await read(this.database, `${SELECT} WHERE name = ?`, [name]))[0];
  }

  /**
   * Makes or changes one.
   * @param change gets the row that there is, and how many there are; answers the one that is to be
   */
  update(
    name: string,
    change: (row: FeedConsumerRow | undefined, count: number) => FeedConsumerRow,
  ): Promise<FeedConsumerRow> {
    return this.database.transaction(async (tx) => {
      const [row] = await read(tx, `${SELECT} WHERE name = ?${tx.dialect.forUpdate}`, [name]);
      const [all] = await tx.all<{ n: number }>('SELECT COUNT(*) AS n FROM feed_consumer');
      const next = change(row, Number(all?.n ?? 0));
      await tx.insert<FeedConsumerRow>(
        'feed_consumer',
        FEED_CONSUMER_COLUMNS,
        [FEED_CONSUMER_COLUMNS.map((column) => next[column])],
        { key: ['name'], then: 'update', set: ['actor', 'place', 'position'] },
      );
      return next;
    });
  }

  /** Notes what one has confirmed, which is never taken back, and that it was seen. */
  async confirm(name: string, { place, position }: Pick<FeedConsumerRow, 'place' | 'position'>, now: number) {
    await this.database.transaction(
      async (tx) => {
        await tx.run('UPDATE feed_consumer SET seen_at = ? WHERE name = ?', [now, name]);
        await tx.run('UPDATE feed_consumer SET place = ?, position = ? WHERE name = ? AND position <= ?', [
          place,
          position,
          name,
          position,
        ]);
      },
      // The reader confirms it again.
      { survives: 'process' },
    );
  }

  async remove(name: string): Promise<boolean> {
    const removed = await this.database.transaction((tx) =>
      tx.run('DELETE FROM feed_consumer WHERE name = ?', [name]),
    );
    return removed > 0;
  }
}

async function read(reader: SqlReader, sql: string, params: string[]): Promise<FeedConsumerRow[]> {
  const rows = await reader.all<FeedConsumerRow>(sql, params);
  return rows.map((row) => ({
    ...row,
    position: Number(row.position),
    created_at: Number(row.created_at),
    seen_at: Number(row.seen_at),
  }));
}
