import { Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import { suggestion } from '../../catalog/nearest-name.js';

/** The most of a name that a refusal repeats. */
const SHOWN = 100;

/** The relationships that the model marks. */
@Injectable()
export class RelationshipNames {
  /** Names of those that make lineage, and whether their target is upstream of their source. */
  readonly lineage: ReadonlyMap<string, boolean>;
  private readonly all: ReadonlySet<string>;

  constructor(model: Model) {
    const marks = [...model.aspects.values()].flatMap((aspect) => aspect.relationships);
    this.all = new Set(marks.map(({ name }) => name));
    this.lineage = new Map(
      marks.filter(({ lineage }) => lineage).map(({ name, upstream }) => [name, upstream]),
    );
  }

  /**
   * Refuses names that no relationship has, so that a misspelt one does not look like an entity without neighbours.
   * @param pointerOf where the name with that index stands in the request.
   * @throws CatalogError PARAMETER_INVALID, naming the nearest one.
   */
  check(names: readonly string[], pointerOf: (index: number) => string): void {
    this.checkAmong(this.all, 'relationship', names, pointerOf);
  }

  /** As {@link check}, for names of relationships that make lineage. */
  checkLineage(names: readonly string[], pointerOf: (index: number) => string): void {
    this.check(names, pointerOf);
    this.checkAmong(new Set(this.lineage.keys()), 'relationship of lineage', names, pointerOf);
  }

  private checkAmong(
    known: ReadonlySet<string>,
    what: string,
    names: readonly string[],
    pointerOf: (index: number) => string,
  ): void {
    const at = names.findIndex((name) => !known.has(name));
    if (at < 0) return;
    const name = names[at]!.slice(0, SHOWN);
    const message = `there is no ${what} ${JSON.stringify(name)}${suggestion(name, known)}`;
    throw refuse('PARAMETER_INVALID', message, pointerOf(at));
  }
}
