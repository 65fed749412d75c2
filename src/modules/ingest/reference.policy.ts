import { Inject, Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { CatalogError, type ErrorDetail } from '../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../catalog/extension/index.js';
import { Model, valuesAt, type AspectSpec } from '../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { canonicalUrn } from '../../catalog/urn/index.js';

/**
 * What an aspect names must exist where the model says so (structured properties, data types, entity types), and
 * with CATALOG_REFERENCES=strict what has the mark `strictReferences` too (tags, terms). Everything else may come later: lineage and ownership
 * arrive out of order.
 */
@Injectable()
export class ReferencePolicy extends ProposalPolicy {
  readonly aspects: readonly string[];
  private readonly paths = new Map<string, string[][]>();

  constructor(
    model: Model,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {
    super();
    const labels = [...model.entities.values()]
      .filter((entity) => entity.strictReferences)
      .map(({ name }) => name);
    for (const aspect of model.aspects.values()) {
      const paths = pathsThatMustExist(aspect, settings.references === 'strict' ? labels : []);
      if (paths.length > 0) this.paths.set(aspect.name, paths);
    }
    this.aspects = [...this.paths.keys()];
  }

  async judge(proposal: ChangeProposal, context: PolicyContext): Promise<void> {
    if (context.next === undefined) return;
    const missing: ErrorDetail[] = [];
    const seen = new Map<string, boolean>();
    for (const path of this.paths.get(proposal.aspect.name) ?? []) {
      for (const { value, pointer } of valuesAt(context.next, path)) {
        const urn = canonicalUrn(String(value), this.settings.vendor);
        let exists = seen.get(urn);
        // An entity that a later proposal of the submission creates exists at the commit.
        if (exists === undefined)
          seen.set(urn, (exists = (await context.entityExists(urn)) || context.requested(urn).size > 0));
        if (!exists)
          missing.push({
            pointer: proposal.pointer + proposal.valuePointer + pointer,
            message: `${String(value)} does not exist`,
          });
      }
    }
    if (missing.length > 0) {
      const names = missing.map((m) => m.message).slice(0, 3);
      throw new CatalogError(
        'REFERENCE_MISSING',
        `${proposal.aspect.name}: ${names.join(', ')}`,
        missing.slice(0, 20),
      );
    }
  }
}

/** @param strict entities that must exist wherever nothing else may be named. */
function pathsThatMustExist({ urns }: AspectSpec, strict: readonly string[]): string[][] {
  return urns
    .filter(
      ({ exist, targets }) => exist || (targets.length > 0 && targets.every((name) => strict.includes(name))),
    )
    .map(({ path }) => [...path]);
}
