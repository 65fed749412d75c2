import { Inject, Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { CatalogError, refuse, type ErrorCode } from '../../catalog/errors/index.js';
import { ProposalPolicy, type PolicyContext } from '../../catalog/extension/index.js';
import { sameJson } from '../../catalog/json/same-json.js';
import { isRecord } from '../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { canonicalUrn, tryParseUrn } from '../../catalog/urn/index.js';
import { DEFINITION_ASPECT, PropertyDefinition, VALUE_TYPES } from './property-definition.js';
import { versionFault } from './definition-version.js';
import { faultOf, repeatedAt, valueText } from './property-value.js';
import { fieldClaim } from './field-names.js';

/**
 * What a definition of a structured property may be, and become.
 * Source: specification, "Structured property definition"; reference behaviour, 5.1.
 */
@Injectable()
export class DefinitionPolicy extends ProposalPolicy {
  readonly aspects = [DEFINITION_ASPECT];
  override readonly neededByOthers = true;

  constructor(@Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings) {
    super();
  }

  async judge(proposal: ChangeProposal, context: PolicyContext): Promise<void> {
    const urn = proposal.urn.text;
    const fail = (field: string, message: string, code: ErrorCode = 'RULE_VIOLATED'): CatalogError =>
      refuse(code, `${urn}: ${message}`, proposal.pointer + proposal.valuePointer + field);
    if (context.next === undefined) {
      throw fail('', 'a structured property cannot be without its definition; delete the property itself');
    }
    const head = (await context.heads([urn])).get(urn);
    if (head?.exists && head.removed && context.current !== undefined) {
      throw fail('', 'Cannot mutate a soft deleted Structured Property Definition');
    }
    const next = new PropertyDefinition(context.next);
    const before = context.current && new PropertyDefinition(context.current.value);
    checkName(proposal.urn.id, next, before, fail);
    checkType(next, fail);
    const versionBefore = currentVersion(before, context.now);
    checkVersion(next, versionBefore, context.now, fail);
    if (!sameField('entityTypes', next, before)) checkEntityTypes(next, fail);
    await this.checkQualifier(next, context, fail);
    checkAllowedValues(next, fail);
    if (!sameField('allowedValues', next, before)) refuseRepeatedValues(next, fail);
    const breaking = next.version !== undefined && next.version > (versionBefore ?? '');
    const conflict = breaking ? undefined : before?.conflictWith(next);
    if (conflict) throw fail(`/${conflict.field}`, conflict.message);
    const owner = await context.claim(fieldClaim(next.qualifiedName));
    if (owner !== undefined) {
      throw fail(
        '/qualifiedName',
        `${owner} has the same name for searches already: names must differ in more than "." and "_"`,
      );
    }
  }

  /** The types of URNs that values may be must exist. */
  private async checkQualifier(next: PropertyDefinition, context: PolicyContext, fail: Fail): Promise<void> {
    const qualifier = next.value['typeQualifier'];
    if (!isRecord(qualifier)) return;
    for (const [name, list] of Object.entries(qualifier)) {
      if (name !== 'allowedTypes')
        throw fail(`/typeQualifier/${name}`, 'a typeQualifier has allowedTypes only');
      for (const [i, text] of (list as unknown[]).entries()) {
        const at = `/typeQualifier/allowedTypes/${i}`;
        const type = tryParseUrn(text);
        if (type?.type !== 'entityType') {
          throw fail(
            at,
            `Invalid entity type urn validation failure (Required: [entityType]): ${String(text)}`,
          );
        }
        if (!(await context.entityExists(canonicalUrn(type, this.settings.vendor)))) {
          throw fail(at, `Urn validation failure. Urn does not exist: ${type.text}`, 'REFERENCE_MISSING');
        }
      }
    }
  }
}

type Fail = (field: string, message: string, code?: ErrorCode) => CatalogError;

function checkName(
  id: string,
  next: PropertyDefinition,
  before: PropertyDefinition | undefined,
  fail: Fail,
): void {
  if (/\s/.test(id)) throw fail('', 'Urn ID cannot have spaces');
  if (/\s/.test(next.qualifiedName)) throw fail('/qualifiedName', 'Qualified names cannot have spaces');
  if (before && before.qualifiedName !== next.qualifiedName) {
    throw fail('/qualifiedName', 'Cannot change the fully qualified name of a Structured Property');
  }
  if (next.qualifiedName !== id) {
    throw fail('/qualifiedName', 'Qualified name and the ID of a structured property must match');
  }
}

function checkType(next: PropertyDefinition, fail: Fail): void {
  if (next.type !== undefined) return;
  throw fail('/valueType', `valueType must be one of the data types ${VALUE_TYPES.join(', ')}`);
}

/** Fields that a write leaves as they are were right when they were written. */
function sameField(field: string, next: PropertyDefinition, before: PropertyDefinition | undefined): boolean {
  return before !== undefined && sameJson(next.value[field], before.value[field]);
}

/** The version that later ones must exceed. One that today's rules refuse would exclude all of them, and counts as none. */
function currentVersion(before: PropertyDefinition | undefined, now: number): string | undefined {
  return before?.version !== undefined && versionFault(before.version, now) === undefined
    ? before.version
    : undefined;
}

function checkVersion(next: PropertyDefinition, before: string | undefined, now: number, fail: Fail): void {
  const fault = next.version === undefined ? undefined : versionFault(next.version, now);
  if (fault !== undefined) throw fail('/version', fault);
  if (before === undefined) return;
  if (next.version === undefined || next.version < before) {
    throw fail('/version', `The version must not go back: it is ${before}`);
  }
}

function checkEntityTypes(next: PropertyDefinition, fail: Fail): void {
  if (next.entityTypes.length === 0)
    throw fail('/entityTypes', 'entityTypes must name at least one entity type');
}

function refuseRepeatedValues({ allowed }: PropertyDefinition, fail: Fail): void {
  const at = repeatedAt(allowed);
  if (at === undefined) return;
  throw fail(`/allowedValues/${at}/value`, `the allowed value ${valueText(allowed[at]!)} is there twice`);
}

function checkAllowedValues(next: PropertyDefinition, fail: Fail): void {
  // Whether a value would be right but for the list itself.
  const free = new PropertyDefinition({ ...next.value, allowedValues: [] });
  for (const [i, value] of next.allowed.entries()) {
    const wrong =
      next.type === 'number' && !('double' in value) ? 'should be a number' : faultOf(value, free);
    if (wrong !== undefined) {
      throw fail(`/allowedValues/${i}/value`, `the allowed value ${valueText(value)} ${wrong}`);
    }
  }
}
