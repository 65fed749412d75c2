import { CatalogError } from '../../../../catalog/errors/index.js';
import type { SearchDocument, WriteResult } from '../../../../catalog/search/index.js';

/** So often a document may end the thread that writes, alone, before it is suspended. */
const MOST_ENDS = 3;

/** The thread that writes has ended with this call. */
export class EndedAtWork extends CatalogError {}

/**
 * Documents with which the thread that writes has ended, for want of memory mostly. They are written one by one, behind the
 * others, so that one that ends it each time keeps no other from the index; that one is suspended until its entity changes.
 */
export class SuspectDocuments {
  /** How often each has ended it alone, and in which state. */
  private readonly suspects = new Map<string, { sequence: number; ends: number }>();

  /**
   * @param send writes documents together
   * @returns what was written, and what is suspended
   * @throws what `send` does; what was not written then is to be written again
   */
  async write(
    documents: readonly SearchDocument[],
    send: (some: readonly SearchDocument[]) => Promise<WriteResult>,
  ): Promise<WriteResult & { aside: SearchDocument[] }> {
    const result = { written: 0, outdated: 0, aside: [] as SearchDocument[] };
    const write = async (some: readonly SearchDocument[]): Promise<void> => {
      const { written, outdated } = await this.watched(some, send);
      result.written += written;
      result.outdated += outdated;
    };
    const calm = this.suspects.size === 0 ? documents : documents.filter((each) => !this.endsOf(each));
    if (calm.length > 0 || documents.length === 0) await write(calm);
    if (calm.length === documents.length) return result;
    for (const document of documents) {
      const ends = this.endsOf(document)?.ends;
      if (ends === undefined) continue;
      if (ends < MOST_ENDS) await write([document]);
      else result.aside.push(document);
    }
    return result;
  }

  private endsOf({ urn, sequence }: SearchDocument): { ends: number } | undefined {
    const known = this.suspects.get(urn);
    return known?.sequence === sequence ? known : undefined;
  }

  private async watched(
    some: readonly SearchDocument[],
    send: (some: readonly SearchDocument[]) => Promise<WriteResult>,
  ): Promise<WriteResult> {
    try {
      const result = await send(some);
      if (this.suspects.size > 0) for (const { urn } of some) this.suspects.delete(urn);
      return result;
    } catch (error) {
      if (error instanceof EndedAtWork) {
        const alone = some.length === 1 ? 1 : 0;
        for (const document of some) {
          const { urn, sequence } = document;
          this.suspects.set(urn, { sequence, ends: (this.endsOf(document)?.ends ?? 0) + alone });
        }
      }
      throw error;
    }
  }
}
