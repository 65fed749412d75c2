import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { EditContext } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { EditService, merged, refuseBlank, refuseEmpty } from '../ingest/index.js';
import { madeBy } from '../ownership/index.js';

/** What people say about a group; what is left out stays as it is. */
interface GroupTexts {
  readonly description?: string | undefined;
  readonly slack?: string | undefined;
  readonly email?: string | undefined;
  readonly pictureLink?: string | undefined;
}

/** Makes, describes and deletes groups of the catalog itself, and says who is in them. */
@Injectable()
export class GroupsService {
  constructor(private readonly edits: EditService) {}

  /**
   * @param group `id` is a UUID when absent.
   * @returns the URN
   * @throws CatalogError ENTITY_EXISTS, PARAMETER_INVALID, URN_MALFORMED
   */
  async create(
    principal: Principal,
    group: { id?: string | undefined; name: string; description?: string | undefined },
  ): Promise<string> {
    const { name, description } = group;
    refuseBlank(name, 'a name', '/name');
    const id = group.id ?? randomUUID();
    refuseBlank(id, 'an id', '/id');
    const made = { urn: `urn:li:corpGroup:${id}`, at: '/id', entity: 'any' } as const;
    await this.edits.submit(principal, [
      {
        ...made,
        aspect: 'corpGroupInfo',
        what: 'name',
        entity: 'new',
        apply: (_, { stamp }) => ({
          displayName: name,
          ...(description !== undefined && { description }),
          ...{ admins: [], members: [], groups: [] },
          created: stamp,
        }),
      },
      { ...made, aspect: 'origin', what: 'origin', apply: () => ({ type: 'NATIVE' }) },
      { ...made, aspect: 'ownership', what: 'owners', apply: (_, { stamp }) => madeBy(stamp) },
    ]);
    return made.urn;
  }

  /** @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID */
  async describe(principal: Principal, urn: string, said: GroupTexts): Promise<void> {
    await this.edits.submit(principal, [
      {
        ...this.group(urn, '/urn'),
        aspect: 'corpGroupEditableInfo',
        what: 'description',
        apply: (current) => merged(current, said),
      },
    ]);
  }

  /** Permanently deletes a group; it is taken off what refers to it in the background. @throws CatalogError ENTITY_NOT_FOUND */
  async delete(principal: Principal, urn: string): Promise<void> {
    await this.edits.delete(principal, this.group(urn, '/urn'), []);
  }

  /**
   * Puts users into a group; all or none.
   * @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID; RULE_VIOLATED for a group of a directory, which says who is in it
   */
  async addMembers(principal: Principal, group: string, users: readonly string[]): Promise<void> {
    await this.changeMembers(principal, group, users, (groups) =>
      groups.includes(group) ? undefined : [...groups, group],
    );
  }

  /** Takes users out of a group of the catalog; all or none. @throws as {@link addMembers} */
  async removeMembers(principal: Principal, group: string, users: readonly string[]): Promise<void> {
    await this.changeMembers(principal, group, users, (groups) =>
      groups.includes(group) ? groups.filter((other) => other !== group) : undefined,
    );
  }

  private async changeMembers(
    principal: Principal,
    groupUrn: string,
    users: readonly string[],
    change: (groups: readonly string[]) => string[] | undefined,
  ): Promise<void> {
    refuseEmpty(users, '/userUrns');
    const group = { ...this.group(groupUrn, '/groupUrn'), types: ['corpGroup'] };
    const members = users.map((urn, i) => ({ urn, at: `/userUrns/${i}`, types: ['corpuser'] }));
    this.edits.checkMentions(members);
    await this.edits.submit(
      principal,
      members.map(({ urn, at }) => ({
        urn,
        at,
        aspect: 'nativeGroupMembership',
        what: 'groups',
        mentions: [group],
        apply: async (current, context) => {
          await refuseOfDirectory(groupUrn, context);
          const nativeGroups = change((current?.['nativeGroups'] ?? []) as string[]);
          return nativeGroups && { nativeGroups };
        },
      })),
    );
  }

  private group(urn: string, at: string) {
    this.edits.checkMentions([{ urn, at, types: ['corpGroup'] }]);
    return { urn, at };
  }
}

async function refuseOfDirectory(group: string, context: EditContext): Promise<void> {
  const origin = await context.aspectOf(group, 'origin');
  if (origin?.['type'] !== 'EXTERNAL') return;
  throw refuse('RULE_VIOLATED', `${group} comes from a directory, which says who is in it`, '/groupUrn');
}
