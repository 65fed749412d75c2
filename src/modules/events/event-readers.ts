import { Inject, Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';

/** Counts the requests of this process that wait for events, and bounds them. */
@Injectable()
export class EventReaders {
  private readonly streams = new Set<{ position: number }>();
  private readers = 0;

  constructor(@Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'feedReaders'>) {}

  get count(): number {
    return this.readers;
  }

  /** Positions of the streams that are open. */
  get positions(): number[] {
    return [...this.streams].map(({ position }) => position);
  }

  /**
   * Lets one more in until `work` is done.
   * @throws CatalogError TOO_MANY_REQUESTS
   */
  async admit<T>(work: () => Promise<T>): Promise<T> {
    const { feedReaders: most } = this.settings;
    if (this.readers >= most)
      throw refuse('TOO_MANY_REQUESTS', `${most} requests wait for events, and no more may`);
    this.readers += 1;
    try {
      return await work();
    } finally {
      this.readers -= 1;
    }
  }

  /** A stream whose place is to be known while `work` runs. */
  async follow<T>(work: (place: { position: number }) => Promise<T>): Promise<T> {
    const place = { position: 0 };
    this.streams.add(place);
    try {
      return await work(place);
    } finally {
      this.streams.delete(place);
    }
  }
}
