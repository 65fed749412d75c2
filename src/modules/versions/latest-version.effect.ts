import { Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../catalog/change/index.js';
import {
  SideEffect,
  type FollowedChange,
  type Following,
  type FollowingChange,
  type SideEffectView,
} from '../../catalog/extension/index.js';
import type { VersionProperties, VersionSetProperties } from '../../catalog/model/generated/aspects.js';
import { OF_ENTITY, OF_SET, SET_KEY } from './names.js';
import { SetMembers } from './set-members.js';

type Value = Record<string, unknown>;
type Version = VersionProperties & Value;

/**
 * Keeps the latest version of a set, however versions are written: `isLatest` of its members and `latest` of the set follow from
 * `sortId`. A set is made with its first version, and deleted with its last. Only entities of the type that a set is for count.
 * Who joins or leaves a set, or changes which version is its latest, edits the set.
 */
@Injectable()
export class LatestVersionEffect extends SideEffect {
  readonly aspect = OF_ENTITY;

  constructor(private readonly members: SetMembers) {
    super();
  }

  alsoChanges({ urn, value }: ChangeProposal): readonly string[] {
    const set = this.members.setOf(urn.text, value as Value | undefined);
    return set === undefined ? [] : [set];
  }

  async follow({ urn, before, next }: FollowedChange, view: SideEffectView): Promise<Following> {
    const entered = this.members.setOf(urn, next);
    const left = await this.setLeft(urn, before, entered, view);
    const others: FollowingChange[] = [];
    if (left !== undefined && left !== entered)
      others.push(...(await this.changesOf(left, urn, undefined, view)).others);
    const edited = new Set(left === entered ? [] : [left, entered]);
    const edits = () =>
      [...edited].flatMap((set) => (set === undefined ? [] : [{ urn: set, aspect: OF_SET }]));
    if (entered === undefined) return { next, others, edits: edits() };
    const changes = await this.changesOf(entered, urn, next as Version, view);
    others.push(...changes.others);
    if (changes.others.length > 0) edited.add(entered);
    return { next: { ...next, isLatest: changes.latest === urn }, others, edits: edits() };
  }

  /** The set that an entity is a version in. One that is deleted is not made anew by who leaves it. */
  private async setLeft(
    urn: string,
    before: Value | undefined,
    entered: string | undefined,
    view: SideEffectView,
  ): Promise<string | undefined> {
    const set = this.members.setOf(urn, before);
    return set === undefined || set === entered || (await view.entityExists(set)) ? set : undefined;
  }

  /** What changes in a set when one of its members becomes `value`; undefined: when it leaves. */
  private async changesOf(
    set: string,
    urn: string,
    value: Version | undefined,
    view: SideEffectView,
  ): Promise<{ latest: string | undefined; others: FollowingChange[] }> {
    const properties = (await view.aspectOf(set, OF_SET)) as (VersionSetProperties & Value) | undefined;
    const former = properties?.latest;
    const latest = await this.latestOf(set, urn, value, former, view);
    if (latest === undefined) {
      const exists = await view.entityExists(set);
      return { latest, others: exists ? [{ urn: set, aspect: SET_KEY, next: undefined }] : [] };
    }
    const others: FollowingChange[] = [];
    const mark = async (other: string | undefined, isLatest: boolean): Promise<void> => {
      if (other === undefined || other === urn) return;
      const known = await view.aspectOf(other, OF_ENTITY);
      if (known !== undefined && known['versionSet'] === set && known['isLatest'] !== isLatest)
        others.push({ urn: other, aspect: OF_ENTITY, next: { ...known, isLatest }, marks: true });
    };
    if (former !== latest) {
      await mark(former, false);
      const { versioningScheme } =
        properties ?? value ?? ((await view.aspectOf(latest, OF_ENTITY)) as Version);
      others.push({ urn: set, aspect: OF_SET, next: { ...properties, latest, versioningScheme } });
    }
    await mark(latest, true);
    return { latest, others };
  }

  /**
   * The member with the greatest `sortId`. Of equal ones that which is the latest already, unless the other one says that it is: a copy
   * of the latest version, made to take its place.
   */
  private async latestOf(
    set: string,
    urn: string,
    value: Version | undefined,
    former: string | undefined,
    view: SideEffectView,
  ): Promise<string | undefined> {
    const known = former === undefined || former === urn ? undefined : await view.aspectOf(former, OF_ENTITY);
    if (known !== undefined && this.members.setOf(former!, known) === set)
      return value !== undefined && follows(value, known as Version) ? urn : former;
    // The latest itself changes, or is gone.
    return this.members.last(set, view, { urn, place: value && { urn, sortId: value.sortId } });
  }
}

/** Whether a version that is written takes the place of the latest one. */
function follows({ sortId, isLatest }: Version, latest: Version): boolean {
  return sortId > latest.sortId || (sortId === latest.sortId && isLatest === true);
}
