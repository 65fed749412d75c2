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
import { EntityReader } from '../entities/index.js';
import { EditService, refuseBlank, type AspectEdit } from '../ingest/index.js';
import { MAX_PAGE, RelationshipsService } from '../relationships/index.js';
import { sortIdAfter } from './sort-id.js';

const SET = 'versionSet';
const OF_ENTITY = 'versionProperties';
const OF_SET = 'versionSetProperties';
/** The order of sets whose versions are linked here. */
const COUNTED = 'ALPHANUMERIC_GENERATED_BY_DATAHUB';
/** How often a change begins anew because another caller has changed the set meanwhile. */
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

/** Ends an attempt: the set is not what it was when the attempt began. */
const moved = (at: string) =>
  refuse('PRECONDITION_FAILED', 'the version set is being changed by others; try again', at);

/** Puts entities into sets of versions, the latest last, and takes them out. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly model: Model,
    private readonly edits: EditService,
    private readonly reader: EntityReader,
    private readonly relationships: RelationshipsService,
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
    await this.again(async () => {
      const before = (await this.setProperties(set))?.latest;
      const edits: AspectEdit[] = [
        {
          ...{ urn, at: '/linkedEntity', aspect: OF_ENTITY, what: 'versions', looksAtEntities: [set] },
          apply: async (current, context) => {
            if (current !== undefined) {
              const { versionSet } = current as unknown as VersionProperties;
              throw refuse('RULE_VIOLATED', `${urn} is a version of ${versionSet} already`, '/linkedEntity');
            }
            const known = (await context.aspectOf(set, OF_SET)) as VersionSetProperties | undefined;
            if (known?.latest !== before) throw moved('/versionSet');
            const last =
              before === undefined
                ? undefined
                : ((await context.aspectOf(before, OF_ENTITY)) as VersionProperties | undefined);
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
              isLatest: true,
              ...(comment !== undefined && { comment }),
            };
          },
        },
        {
          ...{ urn: set, at: '/versionSet', aspect: OF_SET, what: 'versions', entity: 'any' },
          apply: (current) => ({ ...current, latest: urn, versioningScheme: COUNTED }),
        },
      ];
      if (before !== undefined) edits.push(markLatest(before, '/versionSet', set, false));
      await this.edits.submit(principal, edits);
    });
  }

  /**
   * Takes an entity out of its set. A set without versions is deleted.
   * @param asked the set, where the caller names it
   * @param entity the latest version when absent
   * @returns the URN of the set
   * @throws CatalogError PARAMETER_MISSING when neither is named; ENTITY_NOT_FOUND; RULE_VIOLATED for an entity that is not in the set
   */
  async unlink(principal: Principal, asked: string | undefined, entity: string | undefined): Promise<string> {
    if (asked !== undefined) this.edits.checkMentions([{ urn: asked, at: '/versionSet', types: [SET] }]);
    return this.again(async () => {
      const urn = entity ?? (await this.latestOf(asked));
      const { urn: checked } = this.edits.entity(urn, '/unlinkedEntity');
      const [own] = await this.versions([checked.text]);
      const set = own?.value.versionSet ?? asked;
      const latest = set === undefined ? undefined : (await this.setProperties(set))?.latest;
      const others = latest === urn ? await this.othersOf(set!, urn) : undefined;
      const next = others?.at(-1)?.urn;
      const leave: AspectEdit = {
        ...{ urn, at: '/unlinkedEntity', aspect: OF_ENTITY, what: 'versions' },
        ...(set !== undefined && { looksAtEntities: [set] }),
        apply: async (current, context) => {
          const version = current as unknown as VersionProperties | undefined;
          if (version === undefined)
            throw refuse('RULE_VIOLATED', `${urn} is not a version of anything`, '/unlinkedEntity');
          if (asked !== undefined && version.versionSet !== asked)
            throw refuse('RULE_VIOLATED', `${urn} is a version of ${version.versionSet}`, '/versionSet');
          const known = (await context.aspectOf(version.versionSet, OF_SET)) as
            VersionSetProperties | undefined;
          if (version.versionSet !== set || known?.latest !== latest) throw moved('/versionSet');
          return undefined;
        },
      };
      const left = { urn, at: '/unlinkedEntity', aspect: OF_ENTITY };
      if (others !== undefined && next === undefined) {
        await this.edits.delete(principal, { urn: set!, at: '/versionSet' }, [leave], { also: [left] });
        return set!;
      }
      const edits = [leave];
      if (next !== undefined) {
        edits.push(markLatest(next, '/versionSet', set!, true));
        edits.push({
          ...{ urn: set!, at: '/versionSet', aspect: OF_SET, what: 'versions' },
          apply: (current) => ({ ...current, latest: next }),
        });
      }
      await this.edits.submit(principal, edits, [left]);
      return set!;
    });
  }

  private async again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let left = ATTEMPTS; ; left -= 1) {
      try {
        return await attempt();
      } catch (error) {
        if (left === 0 || !(error instanceof CatalogError) || error.code !== 'PRECONDITION_FAILED')
          throw error;
      }
    }
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
        `${set} is for versions of a ${entityType}, not of a ${entity.name}`,
        '/versionSet',
      );
  }

  private async latestOf(set: string | undefined): Promise<string> {
    if (set === undefined)
      throw refuse('PARAMETER_MISSING', 'the entity or its version set must be named', '/unlinkedEntity');
    const latest = (await this.setProperties(set))?.latest;
    if (latest === undefined) throw refuse('ENTITY_NOT_FOUND', `${set} has no versions`, '/versionSet');
    return latest;
  }

  private async setProperties(set: string): Promise<VersionSetProperties | undefined> {
    const states = await this.reader.read(SYSTEM_PRINCIPAL, [set], [OF_SET]);
    return states.get(set)?.aspects.get(OF_SET)?.value as VersionSetProperties | undefined;
  }

  /** The other versions of a set in their order. */
  private async othersOf(
    set: string,
    urn: string,
  ): Promise<Array<{ urn: string; value: VersionProperties }>> {
    const members: string[] = [];
    for (let start = 0; ; start += MAX_PAGE) {
      const pages = await this.relationships.pages(SYSTEM_PRINCIPAL, {
        urns: [set],
        direction: 'INCOMING',
        types: ['VersionOf'],
        includeSoftDeleted: true,
        start,
        count: MAX_PAGE,
      });
      const relationships = pages.get(set)?.relationships ?? [];
      members.push(...relationships.map(({ entity }) => entity));
      if (relationships.length < MAX_PAGE) break;
    }
    const versions = await this.versions(members.filter((other) => other !== urn));
    return versions.sort((a, b) => (a.value.sortId < b.value.sortId ? -1 : 1));
  }

  private async versions(urns: readonly string[]): Promise<Array<{ urn: string; value: VersionProperties }>> {
    const states = await this.reader.read(SYSTEM_PRINCIPAL, urns, [OF_ENTITY]);
    return [...states].flatMap(([urn, { aspects }]) => {
      const value = aspects.get(OF_ENTITY)?.value as VersionProperties | undefined;
      return value ? [{ urn, value }] : [];
    });
  }
}

/** Says of a version whether it is the latest of its set. */
function markLatest(urn: string, at: string, set: string, isLatest: boolean): AspectEdit {
  return {
    ...{ urn, at, aspect: OF_ENTITY, what: 'versions', entity: 'any' },
    apply: (current) => {
      // Deleted, or written without the service: what was the latest is none to be marked.
      if (current?.['versionSet'] !== set) {
        if (isLatest) throw moved(at);
        return undefined;
      }
      return { ...current, isLatest };
    },
  };
}
