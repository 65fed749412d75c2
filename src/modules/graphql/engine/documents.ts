import type { DocumentNode } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { LeafPass } from './leaf-values.js';

/** An operation as a program. */
export interface Compiled {
  readonly run: CompiledQuery['query'];
  /** Checks the values of its answer, where the program does not. */
  readonly pass: LeafPass | undefined;
}

/** A document that was parsed and found valid. */
export interface KnownDocument {
  readonly document: DocumentNode;
  /** By the name that was asked for, what became of its operations so far. */
  readonly operations: Map<string, 'ran once' | 'interpreted' | Compiled>;
  /** By that name, the answers of operations that ask for nothing but the schema. */
  readonly answers: Map<string, string>;
}

interface Kept {
  readonly known: KnownDocument;
  bytes: number;
}

/** Documents by their text, together at most so many bytes as estimated: those that were used last. */
export class KnownDocuments {
  private readonly kept = new Map<string, Kept>();
  private total = 0;

  constructor(private readonly maxBytes: number) {}

  /** Bytes that all of them hold, as estimated. */
  get bytes(): number {
    return this.total;
  }

  get(text: string): KnownDocument | undefined {
    const found = this.kept.get(text);
    if (!found) return undefined;
    this.kept.delete(text);
    this.kept.set(text, found);
    return found.known;
  }

  /** Keeps it, unless it is large: one document must not drive out most of the others. */
  add(text: string, known: KnownDocument, bytes: number): void {
    if (bytes > this.maxBytes / 8) return;
    // Of two that were parsed at the same moment the later one stays.
    this.drop(text);
    this.kept.set(text, { known, bytes });
    this.total += bytes;
    this.makeRoom();
  }

  /** To be called when a kept document holds more: it was compiled. */
  grow(text: string, bytes: number): void {
    const found = this.kept.get(text);
    if (!found) return;
    found.bytes += bytes;
    this.total += bytes;
    this.makeRoom();
  }

  private makeRoom(): void {
    for (const text of this.kept.keys()) {
      if (this.total <= this.maxBytes) return;
      this.drop(text);
    }
  }

  private drop(text: string): void {
    const found = this.kept.get(text);
    if (found && this.kept.delete(text)) this.total -= found.bytes;
  }
}
