import { contains } from './matched-fields.js';
import { displayIdOf } from './search-document.js';
import type { FieldValue, TextNode } from './search-query.js';
import type { Suggestion } from './search-request.js';
import { STATIC_BOOST_FIELD } from './static-boost.js';
import { chunksOf, indexTokens, MAX_TOKEN, wholeToken } from './text/tokens.js';
import { compareTexts } from './scroll-cursor.js';

interface Candidate extends Omit<Suggestion, 'others'> {
  /** 0 the text itself, 1 begins with it, 2 has its words. */
  rank: number;
  /** The entity and its name without separators and capitals: `Build orders` and `build_orders` of one are one. */
  once: string;
  /** How much of the whole was typed already, times the static boost of the entity. */
  closeness: number;
}

interface Hit {
  urn: string;
  entity: string;
  fields: Readonly<Record<string, readonly FieldValue[]>>;
}

/** What was typed, as a query for the entities to complete from; undefined when it has no words. */
export function typedNode(text: string): TextNode | undefined {
  const chunks = chunksOf(text);
  if (chunks.length === 0) return undefined;
  // Every word must be there; the last one may only have begun.
  const words = chunks.map(({ parts, whole }, i) => ({ parts, whole, prefix: i === chunks.length - 1 }));
  return { op: 'text', text, words };
}

/**
 * Collects completions from the hits of {@link typedNode}: distinct texts, each name of an entity in one spelling. The text itself comes first, then what
 * begins with it, then what has its words; among those the closest, of the entity with the better static boost.
 */
export class Completions {
  private readonly found = new Map<string, Candidate>();
  /** Texts with the entities that have them, and how much each counts. */
  private readonly offered: Array<readonly [text: string, urn: string, closeness: number]> = [];
  /** Values that are no completions, such as the platform that all hits have. */
  private readonly others = new Set<string>();
  /** How many of the texts say the same of one entity. */
  private readonly spellings = new Map<string, number>();
  private readonly wanted: string;

  /** @param fields whose values are offered, the more important ones first */
  constructor(
    private readonly typed: TextNode,
    private readonly fields: readonly string[],
  ) {
    this.wanted = wholeToken(typed.text);
  }

  get size(): number {
    return this.spellings.size;
  }

  offer({ urn, entity, fields }: Hit): void {
    const staticBoost = Number(fields[STATIC_BOOST_FIELD]?.[0] ?? 1);
    for (const field of this.fields) {
      for (const value of fields[field] ?? []) {
        if (typeof value === 'string') this.offerText(value, { urn, entity }, staticBoost);
      }
    }
  }

  best(limit: number): Suggestion[] {
    const suggested = new Set<string>();
    const best = [...this.found.values()]
      .sort((a, b) => a.rank - b.rank || b.closeness - a.closeness || this.later(a, b))
      .filter(({ once }) => !suggested.has(once) && suggested.add(once))
      .slice(0, limit);
    const sharing = this.sharing(best);
    return best.map(({ text, urn, entity }) => {
      const others = [...sharing.get(text)!].filter(([other]) => other !== urn);
      others.sort(([a, one], [b, two]) => two - one || compareTexts(a, b));
      return { text, urn, entity, others: others.map(([other]) => other) };
    });
  }

  /** How much each entity that has one of the texts counts, by its URN. */
  private sharing(best: readonly Candidate[]): Map<string, Map<string, number>> {
    const sharing = new Map(best.map(({ text }) => [text, new Map<string, number>()]));
    for (const [text, urn, closeness] of this.offered) {
      const known = sharing.get(text);
      known?.set(urn, Math.max(closeness, known.get(urn) ?? 0));
    }
    return sharing;
  }

  private offerText(value: string, of: { urn: string; entity: string }, staticBoost: number): void {
    if (this.others.has(value)) return;
    const whole = wholeToken(value);
    const rank = this.rankOf(value, whole);
    if (rank === undefined) return void this.others.add(value);
    const text = displayIdOf(value);
    const closeness = (this.wanted.length / Math.max(1, whole.length)) * staticBoost;
    this.offered.push([text, of.urn, closeness]);
    const known = this.found.get(text);
    if (!known || rank < known.rank || (rank === known.rank && closeness > known.closeness)) {
      const once = `${of.urn}\n${whole}`;
      this.found.set(text, { text, ...of, once, rank, closeness });
      this.count(once, 1);
      if (known) this.count(known.once, -1);
    }
  }

  private count(once: string, change: number): void {
    const spellings = (this.spellings.get(once) ?? 0) + change;
    if (spellings === 0) this.spellings.delete(once);
    else this.spellings.set(once, spellings);
  }

  private rankOf(value: string, whole: string): number | undefined {
    if (whole === this.wanted) return 0;
    if (whole.startsWith(this.wanted)) return 1;
    // A token has no characters but those of the whole, unless that was cut.
    if (whole.length < MAX_TOKEN && !this.typed.words.every(({ parts }) => whole.includes(parts[0]!)))
      return undefined;
    const tokens = indexTokens(value);
    return this.typed.words.every((word) => contains(tokens, word)) ? 2 : undefined;
  }

  /** Texts of one entity keep the order of the fields. */
  private later(a: Candidate, b: Candidate): number {
    return a.urn === b.urn ? 0 : compareTexts(a.text, b.text);
  }
}
