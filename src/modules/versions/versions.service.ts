import { Injectable } from '@nestjs/common';
import { SYSTEM_PRINCIPAL, type Principal } from '../../catalog/auth/index.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import type {
  VersionProperties,
  VersionSetKey,
  VersionSetProperties,
} from '../../catalog/model/generated/aspects.js';
import { Model } from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { withArticle } from '../../catalog/with-article.js';
import { EntityReader } from '../entities/index.js';
import { EditService, refuseBlank, type AspectEdit } from '../ingest/index.js';
import { OF_ENTITY, OF_SET, SET } from './names.js';
import { sortIdAfter } from './sort-id.js';

/** The order of sets whose versions are linked here. */
const COUNTED = 'ALPHANUMERIC_GENERATED_BY_DATAHUB';
/** How often the latest version is looked for anew because another caller has changed the set meanwhile. */
const ATTEMPTS = 10;

/** A new version of a set. */
export interface NewVersion {
  readonly versionSet: string;
  readonly linkedEntity: string;
  readonly version: string;
  readonly sourceTimestamp?: number | undefined;
  readonly sourceCreator?: string | undefined;
  readonly comment?: string | undefined;
}

/** Puts entities into sets of versions, the latest last, and takes them out; the rest follows by `LatestVersionEffect`. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly model: Model,
    private readonly edits: EditService,
    private readonly reader: EntityReader,
  ) {}

  /**
   * Makes an entity the latest version of a set.
   * @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID, URN_MALFORMED, ASPECT_UNKNOWN; RULE_VIOLATED for an entity that is in a
   *   set, and for a set whose versions are put in order otherwise
   */
  async link(principal: Principal, linked: NewVersion): Promise<void> {
    const { versionSet: set, linkedEntity: urn, version, comment } = linked;
    refuseBlank(version, 'the label of a version', '/version');
    if (linked.sourceCreator !== undefined) toUrn(linked.sourceCreator, '/sourceCreator');
    this.checkSet(set, urn);
    await this.edits.submit(principal, [
      mayEdit(set),
      {
        ...{ urn, at: '/linkedEntity', aspect: OF_ENTITY, what: 'versions', looksAtEntities: [set] },
        apply: async (current, context) => {
          if (current !== undefined) {
            const { versionSet } = current as unknown as VersionProperties;
            throw refuse('RULE_VIOLATED', `${urn} is a version of ${versionSet} already`, '/linkedEntity');
          }
          const known = (await context.aspectOf(set, OF_SET)) as VersionSetProperties | undefined;
          const last =
            known && ((await context.aspectOf(known.latest, OF_ENTITY)) as VersionProperties | undefined);
          const sortId = sortIdAfter(last?.sortId);
          if ((known && known.versioningScheme !== COUNTED) || sortId === undefined)
            throw refuse(
              'RULE_VIOLATED',
              `the versions of ${set} are put in order by texts of their own: write versionProperties instead`,
              '/versionSet',
            );
          const { stamp } = context;
          return {
            versionSet: set,
            version: { versionTag: version },
            sortId,
            versioningScheme: COUNTED,
            sourceCreatedTimestamp: {
              time: linked.sourceTimestamp ?? stamp.time,
              actor: linked.sourceCreator ?? stamp.actor,
            },
            metadataCreatedTimestamp: stamp,
            ...(comment !== undefined && { comment }),
          };
        },
      },
    ]);
  }

  /**
   * Takes an entity out of its set.
   * @param asked the set, where the caller names it
   * @param entity the latest version when absent
   * @returns the URN of the set
   * @throws CatalogError PARAMETER_MISSING when neither is named; ENTITY_NOT_FOUND; RULE_VIOLATED for an entity that is not in the set
   */
  async unlink(principal: Principal, asked: string | undefined, entity: string | undefined): Promise<string> {
    if (asked !== undefined) this.edits.checkMentions([{ urn: asked, at: '/versionSet', types: [SET] }]);
    for (let left = ATTEMPTS; ; left -= 1) {
      try {
        return await this.leave(principal, asked, entity);
      } catch (error) {
        if (left === 0 || !(error instanceof CatalogError) || error.code !== 'PRECONDITION_FAILED')
          throw error;
      }
    }
  }

  private async leave(
    principal: Principal,
    asked: string | undefined,
    entity: string | undefined,
  ): Promise<string> {
    const urn = this.edits.entity(entity ?? (await this.latestOf(asked)), '/unlinkedEntity').urn.text;
    const set = (await this.valueOf<VersionProperties>(urn, OF_ENTITY))?.versionSet;
    const target = { urn, at: '/unlinkedEntity', aspect: OF_ENTITY };
    const checked: AspectEdit = {
      ...{ ...target, what: 'versions' },
      apply: async (current, context) => {
        const version = current as unknown as VersionProperties | undefined;
        if (version === undefined)
          throw refuse('RULE_VIOLATED', `${urn} is not a version of anything`, '/unlinkedEntity');
        if (asked !== undefined && version.versionSet !== asked)
          throw refuse('RULE_VIOLATED', `${urn} is a version of ${version.versionSet}`, '/versionSet');
        const known = (await context.aspectOf(version.versionSet, OF_SET)) as
          VersionSetProperties | undefined;
        if (version.versionSet !== set || (entity === undefined && known?.latest !== urn))
          throw refuse(
            'PRECONDITION_FAILED',
            'the version set is being changed by others; try again',
            '/versionSet',
          );
        return undefined;
      },
    };
    await this.edits.submit(principal, set === undefined ? [checked] : [mayEdit(set), checked], [target]);
    return set!;
  }

  /** Refuses a set for entities of another type. */
  private checkSet(set: string, urn: string): void {
    this.edits.checkMentions([{ urn: set, at: '/versionSet', types: [SET] }]);
    const { entity } = this.edits.entity(urn, '/linkedEntity');
    const { key } = this.model.keyFromUrn(this.edits.entity(set, '/versionSet').urn);
    const { entityType } = key as unknown as VersionSetKey;
    if (entityType !== entity.name)
      throw refuse(
        'PARAMETER_INVALID',
        `${set} is for versions of ${withArticle(entityType)}, not of ${withArticle(entity.name)}`,
        '/versionSet',
      );
  }

  private async latestOf(set: string | undefined): Promise<string> {
    if (set === undefined)
      throw refuse('PARAMETER_MISSING', 'the entity or its version set must be named', '/unlinkedEntity');
    const latest = (await this.valueOf<VersionSetProperties>(set, OF_SET))?.latest;
    if (latest === undefined) throw refuse('ENTITY_NOT_FOUND', `${set} has no versions`, '/versionSet');
    return latest;
  }

  private async valueOf<T>(urn: string, aspect: string): Promise<T | undefined> {
    const states = await this.reader.read(SYSTEM_PRINCIPAL, [urn], [aspect]);
    return states.get(urn)?.aspects.get(aspect)?.value as T | undefined;
  }
}

/** Leaves a set as it is, for those who may edit it: what is written to a version changes it. */
function mayEdit(set: string): AspectEdit {
  return {
    ...{ urn: set, at: '/versionSet', aspect: OF_SET, what: 'versions', entity: 'any' },
    apply: (current) => current,
  };
}
