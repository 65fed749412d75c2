import type { QueryNode, SharedNode } from '../../../catalog/search/index.js';

/** So many characters of answers are kept, each no longer than a part of them, by requests of so many. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
const LONGEST = MOST_CHARACTERS / 16;
const LONGEST_KEY = 4096;

/**
 * What one reader of the index has answered since it was written to: pages and counts that many ask for are made once
 * for each state. Those used longest ago go first.
 */
export class Answers {
  private readonly kept = new Map<string, string>();
  private state = NaN;
  private characters = 0;

  /** Forgets everything when this is another state than last time. */
  at(state: number): this {
    if (state !== this.state) {
      this.kept.clear();
      this.characters = 0;
    }
    this.state = state;
    return this;
  }

  /** Where the answer to a request is kept; undefined when the request is too long for that. */
  keyOf(kind: string, request: object): string | undefined {
    // A shared condition is known by its key. JSON takes several times as long where each value is looked at.
    const key = kind + JSON.stringify(request, mentionsShared(request) ? keyOfShared : undefined);
    return key.length > LONGEST_KEY ? undefined : key;
  }

  get(key: string | undefined): string | undefined {
    const answer = key === undefined ? undefined : this.kept.get(key);
    if (key === undefined || answer === undefined) return undefined;
    this.kept.delete(key);
    this.kept.set(key, answer);
    return answer;
  }

  keep(key: string | undefined, answer: string): void {
    if (key === undefined || answer.length > LONGEST) return;
    this.kept.set(key, answer);
    this.characters += key.length + answer.length;
    for (const [oldest, other] of this.kept) {
      if (this.characters <= MOST_CHARACTERS) break;
      this.kept.delete(oldest);
      this.characters -= oldest.length + other.length;
    }
  }
}

function mentionsShared(request: object): boolean {
  const { filter, query } = request as { filter?: QueryNode; query?: QueryNode };
  return [filter, query].some((node) => node !== undefined && holdsShared(node));
}

function holdsShared(node: QueryNode): boolean {
  if (node.op === 'and' || node.op === 'or') return node.nodes.some(holdsShared);
  return node.op === 'shared' || (node.op === 'not' && holdsShared(node.node));
}

function keyOfShared(_: string, value: unknown): unknown {
  return isShared(value) ? value.key : value;
}

function isShared(value: unknown): value is SharedNode {
  return (value as Partial<SharedNode> | null | undefined)?.op === 'shared';
}
