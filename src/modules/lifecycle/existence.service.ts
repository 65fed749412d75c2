import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { EntityReader } from '../entities/index.js';

/** URNs looked up in one statement. */
const CHUNK = 1_000;

/** Which entities exist. */
@Injectable()
export class ExistenceService {
  constructor(private readonly reader: EntityReader) {}

  /**
   * Those of the URNs that exist, in the order given.
   * @param urnsAt JSON pointer of the URNs in the request.
   */
  async existing(
    principal: Principal,
    urns: readonly string[],
    options: { includeSoftDelete: boolean; urnsAt: string },
  ): Promise<string[]> {
    const found: string[] = [];
    for (let from = 0; from < urns.length; from += CHUNK) {
      const chunk = urns.slice(from, from + CHUNK);
      const entities = await this.reader.stored(principal, chunk, { aspects: [], urnsAt: options.urnsAt });
      for (const urn of new Set(chunk)) {
        const entity = entities.get(urn);
        if (entity && (options.includeSoftDelete || !entity.removed)) found.push(urn);
      }
    }
    return [...new Set(found)];
  }
}
