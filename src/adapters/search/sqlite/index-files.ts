import { renameSync } from 'node:fs';
import type { IndexRebuild, SearchSchema } from '../../../catalog/search/index.js';
import { asUnavailable, isDamage, unavailable, unfilled } from './damage.js';
import { rebuildOf } from './index-content.js';
import { IndexFile, removeFiles } from './index-file.js';
import { openedOf, type Opened, type Use } from './opened.js';

/** What those who read the file from elsewhere have to know. */
export interface IndexState {
  /** As {@link Opened.made}; empty before the tables are there. */
  readonly made: string;
  /** Why searches are refused. */
  readonly refusal: string | undefined;
}

/**
 * The files of the index: the one that is searched, and the one that is built beside it. Every use of them goes through
 * {@link use}, which notices damage: the file is then given up for an empty one, which is filled from the store while
 * searches are refused.
 */
export class IndexFiles {
  private file: IndexFile;
  private opened: Opened | undefined;
  private beside: Opened | undefined;
  /** Builds that have begun, of each kind. */
  private begun = 0;
  private source: string | undefined;
  /** The newest change that the files may hold. */
  private taken: string | undefined;
  /** Why searches are refused until the current file is filled. */
  private refusal: string | undefined;

  constructor(
    private readonly path: string,
    private readonly complain: (line: string) => void,
  ) {
    this.file = new IndexFile(path);
  }

  /** Makes the tables of the schema; answers the build that fills them when they are not complete. */
  prepare(schema: SearchSchema): IndexRebuild | undefined {
    const complete = this.completeFor(schema);
    this.opened = openedOf(schema, this.file);
    return complete ? undefined : this.filling(this.opened, 'first');
  }

  get isEmpty(): boolean {
    try {
      return this.file.isEmpty;
    } catch (error) {
      if (isDamage(error)) return true;
      throw error;
    }
  }

  /** Gives the file up, see {@link startOver}, for one that is made from other states. */
  forsake(why: string): void {
    this.source = this.taken = undefined;
    this.startOver(why);
  }

  /** Writes down what the files are made from. */
  follow(source: string): void {
    this.source = source;
    for (const opened of [this.opened, this.beside]) {
      if (opened) this.use(opened, ({ file }) => file.setFact('source', source));
    }
  }

  /** Has the files say with their next change which change they may hold then. */
  takeUp(taken: string): void {
    this.taken = taken;
    for (const opened of [this.opened, this.beside]) opened?.file.noteFact('taken', taken);
  }

  /** What is searched, whether it is complete or not. */
  get current(): Opened {
    if (!this.opened) throw new Error('ensureSchema comes before any other use of the index');
    return this.opened;
  }

  /** What is built beside it. */
  get next(): Opened | undefined {
    return this.beside;
  }

  /** What others have to know of the file that is searched. */
  get state(): IndexState {
    return { made: this.opened?.made ?? '', refusal: this.refusal };
  }

  /** @throws CatalogError SEARCH_UNAVAILABLE while what is searched has to be filled again */
  refuseUnfilled(): void {
    if (this.refusal !== undefined) throw unfilled(this.refusal);
  }

  /** Gives up the file that is searched, when it is still the one in which damage was found. */
  giveUp(made: string, reason: string): void {
    if (this.opened?.made === made) this.damaged(this.opened, reason);
  }

  /** Refuses searches until the file is filled, when it is not. */
  refuseIncomplete(why: string): void {
    if (this.current.file.fact('complete') !== undefined) return;
    this.refusal = why;
    this.begun += 1;
  }

  /**
   * Works on one of the files.
   * @throws CatalogError SEARCH_UNAVAILABLE when it proves damaged, or was given up since, or its disk is what is wrong
   */
  readonly use: Use = (opened, work) => {
    if (opened !== this.opened && opened !== this.beside) throw unavailable('is being built anew');
    try {
      return work(opened);
    } catch (error) {
      if (!isDamage(error)) throw asUnavailable(error);
      this.damaged(opened, error instanceof Error ? error.message : String(error));
      throw unavailable('was damaged and is being built anew');
    }
  };

  /** Gives the file up for an empty one, and refuses searches until that is filled. @param why in words for callers */
  startOver(why: string): void {
    this.refusal = why;
    this.begun += 1;
    const { schema } = this.current;
    this.replace();
    this.begin(this.file, schema);
    this.opened = openedOf(schema, this.file);
  }

  /** Makes the tables of a new file, and has it say what it is made from. */
  private begin(file: IndexFile, schema: SearchSchema): void {
    file.prepare(schema.fingerprint());
    if (this.source !== undefined) file.setFact('source', this.source);
    if (this.taken !== undefined) file.noteFact('taken', this.taken);
  }

  private replace(): void {
    this.file.close();
    removeFiles(this.path);
    this.file = new IndexFile(this.path);
  }

  /** The build that fills what had to be given up, if that is not done. */
  unfilled(): IndexRebuild | undefined {
    if (this.refusal === undefined) return undefined;
    // A full disk may have kept the empty file from being made.
    if (!this.file.isOpen) this.startOver(this.refusal);
    return this.filling(this.current, `anew ${this.begun}`);
  }

  startBeside(): IndexRebuild {
    const { schema } = this.current;
    if (!this.beside) {
      removeFiles(this.nextPath);
      const file = new IndexFile(this.nextPath);
      this.begin(file, schema);
      this.beside = openedOf(schema, file);
      this.begun += 1;
    }
    return rebuildOf(this.use, this.beside, `beside ${this.begun}`, true, () => this.changeOver());
  }

  close(): void {
    this.file.close();
    this.dropNext();
  }

  private completeFor(schema: SearchSchema): boolean {
    try {
      return this.file.prepare(schema.fingerprint()).complete;
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.replace();
      return this.file.prepare(schema.fingerprint()).complete;
    }
  }

  private filling(opened: Opened, name: string): IndexRebuild {
    return rebuildOf(this.use, opened, name, false, () => {
      opened.file.markComplete();
      this.refusal = undefined;
    });
  }

  /** Between two calls, so no search sees a part of it. */
  private changeOver(): void {
    const next = this.beside;
    if (!next) throw new Error('nothing is built beside the index');
    next.file.markComplete();
    this.file.close();
    if (this.path === ':memory:') this.file = next.file;
    else {
      next.file.close();
      removeFiles(this.path);
      renameSync(this.nextPath, this.path);
      this.file = new IndexFile(this.path);
    }
    this.opened = openedOf(next.schema, this.file);
    this.beside = undefined;
    this.refusal = undefined;
  }

  private damaged(opened: Opened, reason: string): void {
    if (opened === this.beside) {
      this.complain(`the search index that is built is damaged (${reason}) and is given up`);
      this.dropNext();
    } else {
      this.complain(`${this.path} is damaged (${reason}); it is built anew from the store`);
      this.startOver('was damaged');
    }
  }

  private dropNext(): void {
    if (!this.beside) return;
    this.beside.file.close();
    removeFiles(this.nextPath);
    this.beside = undefined;
  }

  private get nextPath(): string {
    return this.path === ':memory:' ? this.path : `${this.path}.next`;
  }
}
