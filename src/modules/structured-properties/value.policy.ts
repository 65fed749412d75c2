import { Inject, Injectable } from '@nestjs/common';
import { patchOperations, type ChangeProposal } from '../../catalog/change/index.js';
import { CatalogError, refuse, type ErrorCode, type ErrorDetail } from '../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../catalog/extension/index.js';
import { sameJson } from '../../catalog/json/same-json.js';
import { isRecord } from '../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import { withArticle } from '../../catalog/with-article.js';
import { PROPERTY_TYPE, VALUES_ASPECT } from './property-definition.js';
import { faultOf, immutableFault, valueText, type Assignment } from './property-value.js';
import { platformOf } from './platform.js';
import { assignmentsOf, Properties, propertyUrnsOf } from './properties.js';
import { isAlive, type PropertyState } from './property-cache.js';

/** The most findings named in one refusal. */
const MAX_NAMED = 20;

interface Finding extends ErrorDetail {
  code: ErrorCode;
}

/**
 * What values an entity may have. Entries that are stored already, and that the write leaves as they are, are not
 * judged again: what has been right once must not stand in the way of other changes.
 * Source: specification, "Structured property rules"; decisions, "Existence"; reference behaviour, 5.2.
 */
@Injectable()
export class ValuePolicy extends ProposalPolicy {
  readonly aspects = [VALUES_ASPECT];

  constructor(
    private readonly properties: Properties,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>,
  ) {
    super();
  }

  override mentions({ value, changeType, edit }: ChangeProposal): readonly string[] {
    if (changeType !== 'PATCH' || edit) return isRecord(value) ? propertyUrnsOf(value) : [];
    return patchOperations(value).flatMap((operation) => {
      const path: unknown = isRecord(operation) ? operation['path'] : undefined;
      const urn = typeof path === 'string' ? path.split('/')[2] : undefined;
      return urn !== undefined && tryParseUrn(urn) ? [urn] : [];
    });
  }

  /** A column comes to be with its values, if the dataset exists. */
  override creates({ urn }: ChangeProposal): boolean {
    return this.settings.compatibility.valuesMakeEntities || urn.type === 'schemaField';
  }

  async judge(proposal: ChangeProposal, context: PolicyContext): Promise<void> {
    const next = assignmentsOf(context.next);
    const shown = assignmentsOf(context.current?.value);
    const stored = assignmentsOf(context.stored);
    const states = await this.properties.within(
      context,
      [...next, ...stored].map(({ propertyUrn }) => propertyUrn),
    );
    const findings: Finding[] = [...doubled(next), ...frozen(shown, next, states)];
    if (context.next !== undefined) {
      const changed = [...next.entries()].filter(([, entry]) => !isKept(entry, stored, states));
      for (const [i, entry] of changed) {
        const found = await this.judgeEntry(entry, states.get(entry.propertyUrn), proposal, context);
        for (const finding of found)
          findings.push({ ...finding, pointer: `/properties/${i}${finding.pointer}` });
      }
      const anyEntity = this.settings.compatibility.valuesMakeEntities && proposal.edit === undefined;
      // An empty list sets nothing, but an entity must not come into being with it either.
      const needsEntity = changed.length > 0 || context.stored === undefined;
      if (needsEntity && findings.length === 0 && !anyEntity) await this.requireEntity(proposal, context);
    }
    const [first] = findings;
    if (first === undefined) return;
    const place = proposal.pointer + proposal.valuePointer;
    throw new CatalogError(
      first.code,
      `${proposal.urn.text}: ${first.message}`,
      findings.slice(0, MAX_NAMED).map(({ pointer, message }) => ({ pointer: place + pointer, message })),
    );
  }

  /** Values are for entities that exist, or that another aspect of the same request brings; columns follow their parent. */
  private async requireEntity({ urn, pointer }: ChangeProposal, context: PolicyContext): Promise<void> {
    const exists = async (text: string): Promise<boolean> =>
      (await context.entityExists(text)) ||
      [...context.requested(text)].some((aspect) => aspect !== VALUES_ASPECT);
    if (await exists(urn.text)) return;
    const [parent] = urn.parts;
    if (urn.type === 'schemaField' && parent !== undefined && (await exists(parent))) return;
    const missing = urn.type === 'schemaField' ? (parent ?? urn.text) : urn.text;
    throw refuse('ENTITY_NOT_FOUND', `Asset with provided urn ${missing} does not exist`, pointer);
  }

  private async judgeEntry(
    { propertyUrn, values }: Assignment,
    state: PropertyState | undefined,
    proposal: ChangeProposal,
    context: PolicyContext,
  ): Promise<Finding[]> {
    const finding = (pointer: string, message: string, code: ErrorCode = 'RULE_VIOLATED'): Finding => ({
      pointer,
      message,
      code,
    });
    if (tryParseUrn(propertyUrn)?.type !== PROPERTY_TYPE) {
      const message = `Unexpected entity type. Expected: ${PROPERTY_TYPE} Found: ${propertyUrn}`;
      return [finding('/propertyUrn', message)];
    }
    if (state?.exists !== true || state.definition === undefined) {
      const message = `Unexpected null value found for ${propertyUrn} Structured Property Definition. It does not exist.`;
      return [finding('/propertyUrn', message, 'REFERENCE_MISSING')];
    }
    if (state.removed) {
      const message = `Cannot apply a soft deleted Structured Property value: ${propertyUrn} is soft-deleted`;
      return [finding('/propertyUrn', message)];
    }
    const { definition } = state;
    if (!definition.appliesTo(proposal.entity.name)) {
      const types = definition.entityTypes.join(', ') || 'nothing';
      const message = `${propertyUrn} cannot be applied to ${withArticle(proposal.entity.name)}: its entity types are ${types}`;
      return [finding('/propertyUrn', message)];
    }
    const findings: Finding[] = [];
    if (definition.allowedPlatforms.length > 0) {
      const platform = await platformOf(proposal.urn, context);
      if (platform === undefined || !definition.allowedPlatforms.includes(platform)) {
        const platforms = definition.allowedPlatforms.join(', ');
        findings.push(finding('/propertyUrn', `${propertyUrn} is restricted to data platforms ${platforms}`));
      }
    }
    if (values.length === 0) {
      const message = `${propertyUrn} needs at least one value; remove its entry to take its values away`;
      findings.push(finding('/values', message));
    }
    if (!definition.multiple && values.length > 1) {
      findings.push(
        finding('/values', `${propertyUrn} has cardinality 1, but multiple values were assigned`),
      );
    }
    for (const [i, value] of values.entries()) {
      const fault = faultOf(value, definition);
      if (fault !== undefined) {
        findings.push(finding(`/values/${i}`, `the value ${valueText(value)} of ${propertyUrn} ${fault}`));
      }
    }
    return findings;
  }
}

/** One entry for each property. */
function doubled(next: readonly Assignment[]): Finding[] {
  const seen = new Set<string>();
  return next.flatMap(({ propertyUrn }, i) => {
    if (!seen.has(propertyUrn)) {
      seen.add(propertyUrn);
      return [];
    }
    const message = `${propertyUrn} has multiple entries`;
    return [{ pointer: `/properties/${i}/propertyUrn`, message, code: 'RULE_VIOLATED' }];
  });
}

/** Values of immutable properties stay as they were first set. */
function frozen(
  shown: readonly Assignment[],
  next: readonly Assignment[],
  states: ReadonlyMap<string, PropertyState>,
): Finding[] {
  return shown.flatMap(({ propertyUrn, values }) => {
    if (states.get(propertyUrn)?.definition?.immutable !== true) return [];
    const index = next.findIndex((entry) => entry.propertyUrn === propertyUrn);
    if (index >= 0 && sameJson(next[index]?.values, values)) return [];
    const message = immutableFault(propertyUrn);
    return [{ pointer: index < 0 ? '' : `/properties/${index}/values`, message, code: 'RULE_VIOLATED' }];
  });
}

/** Whether an entry has these values now: shown, or hidden because its property is soft-deleted. */
function isKept(
  { propertyUrn, values }: Assignment,
  stored: readonly Assignment[],
  states: ReadonlyMap<string, PropertyState>,
): boolean {
  const before = stored.find((entry) => entry.propertyUrn === propertyUrn);
  return (
    before !== undefined &&
    isAlive(states.get(propertyUrn), before.generation) &&
    sameJson(before.values, values)
  );
}
