import { Injectable } from '@nestjs/common';
import {
  SideEffect,
  type FollowedChange,
  type Following,
  type SideEffectView,
} from '../../catalog/extension/index.js';
import { OF_ENTITY, OF_SET, SET_KEY, VERSION_OF } from './names.js';
import { SetMembers } from './set-members.js';

/**
 * Deletes with a version set what says that others are its versions: searches would leave the earlier ones out for ever. Also that
 * of entities of other types than the set's, which are no members ({@link SetMembers.setOf}): what a client wrote of `isLatest`
 * there hides them from searches as well, and nothing would bring them back once the set that they name is gone.
 */
@Injectable()
export class DeletedSetEffect extends SideEffect {
  readonly aspect = SET_KEY;

  alsoChanges(): readonly string[] {
    return [];
  }

  async follow({ urn: set, next }: FollowedChange, view: SideEffectView): Promise<Following> {
    if (next !== undefined) return { next, others: [], edits: [] };
    const referring = await view.referring(set, VERSION_OF, OF_ENTITY);
    const members = [...(await view.aspectsOf(referring, OF_ENTITY))].filter(
      ([, { versionSet }]) => versionSet === set,
    );
    const others = members.map(([urn]) => ({ urn, aspect: OF_ENTITY, next: undefined }));
    return { next, others, edits: [] };
  }
}

/**
 * Keeps `latest` of a version set what follows from its versions, whatever a client writes there, and when the rest is deleted;
 * `LatestVersionEffect` marks them.
 */
@Injectable()
export class WrittenSetEffect extends SideEffect {
  readonly aspect = OF_SET;

  constructor(private readonly members: SetMembers) {
    super();
  }

  alsoChanges(): readonly string[] {
    return [];
  }

  async follow({ urn: set, before, next }: FollowedChange, view: SideEffectView): Promise<Following> {
    const unchanged = { next, others: [], edits: [] };
    const latest = (await this.stillLatest(set, before, view)) ?? (await this.members.last(set, view));
    if (latest === undefined) return unchanged;
    if (next !== undefined) return { ...unchanged, next: { ...next, latest } };
    if (before === undefined) return unchanged;
    const kept = { latest, versioningScheme: before['versioningScheme'] };
    return { ...unchanged, others: [{ urn: set, aspect: OF_SET, next: kept }] };
  }

  /** The latest version as it is known; undefined where it has to be looked for. */
  private async stillLatest(
    set: string,
    before: FollowedChange['before'],
    view: SideEffectView,
  ): Promise<string | undefined> {
    const latest = before?.['latest'] as string | undefined;
    const value = latest === undefined ? undefined : await view.aspectOf(latest, OF_ENTITY);
    return value !== undefined && this.members.setOf(latest!, value) === set ? latest : undefined;
  }
}
