import { Injectable } from '@nestjs/common';
import type { SideEffectView } from '../../catalog/extension/index.js';
import type { VersionProperties, VersionSetKey } from '../../catalog/model/generated/aspects.js';
import { EntityKeyError, Model } from '../../catalog/model/index.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import { OF_ENTITY, SET, VERSION_OF } from './names.js';

type Value = Record<string, unknown>;

/** A place in the order of a set. */
export interface Place {
  readonly urn: string;
  readonly sortId: string;
}

/** Which entities are the versions of a set. Only entities of the type that the set is for count. */
@Injectable()
export class SetMembers {
  constructor(private readonly model: Model) {}

  /** The set that an entity with this value is a version in. */
  setOf(urn: string, value: Value | undefined): string | undefined {
    const set = tryParseUrn(value?.['versionSet']);
    if (set?.type !== SET) return undefined;
    try {
      const { entityType } = this.model.keyFromUrn(set).key as unknown as VersionSetKey;
      return tryParseUrn(urn)?.type === entityType ? set.text : undefined;
    } catch (error) {
      if (error instanceof EntityKeyError) return undefined;
      throw error;
    }
  }

  /** The member with the greatest `sortId`, of equal ones the first that is found. */
  async last(set: string, view: SideEffectView, changed?: ChangedMember): Promise<string | undefined> {
    let last = changed?.place;
    const members = await view.referring(set, VERSION_OF, OF_ENTITY);
    for (const [urn, value] of await view.aspectsOf(members, OF_ENTITY)) {
      if (urn === changed?.urn || this.setOf(urn, value) !== set) continue;
      const { sortId } = value as Value & VersionProperties;
      if (last === undefined || sortId > last.sortId) last = { urn, sortId };
    }
    return last?.urn;
  }
}

/** A member that is being written or deleted: its new place; undefined when it leaves. */
export interface ChangedMember {
  readonly urn: string;
  readonly place: Place | undefined;
}
