import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { EditService, merged, type AspectEdit, type Mention } from '../ingest/index.js';

/** What people say about a user; what is left out stays as it is. */
interface UserTexts {
  readonly displayName?: string | undefined;
  readonly title?: string | undefined;
  readonly aboutMe?: string | undefined;
  readonly teams?: readonly string[] | undefined;
  readonly skills?: readonly string[] | undefined;
  readonly pictureLink?: string | undefined;
  readonly slack?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
  /** URNs. */
  readonly platforms?: readonly string[] | undefined;
  /** URN. */
  readonly persona?: string | undefined;
}

/** What each user chooses for oneself. */
type UserSetting = 'showSimplifiedHomepage' | 'showThemeV2';

/** Changes what the catalog says of users, and what they choose. */
@Injectable()
export class UsersService {
  constructor(private readonly edits: EditService) {}

  /** @throws CatalogError ENTITY_NOT_FOUND for the user, a platform or the persona; PARAMETER_INVALID */
  async describe(principal: Principal, urn: string, said: UserTexts): Promise<void> {
    const platforms = (said.platforms ?? []).map((platform, i): Mention => ({
      urn: platform,
      at: `/platformUrns/${i}`,
      types: ['dataPlatform'],
    }));
    const persona: Mention[] =
      said.persona === undefined ? [] : [{ urn: said.persona, at: '/personaUrn', types: ['dataHubPersona'] }];
    await this.edits.submit(principal, [
      {
        ...this.user(urn, 'description'),
        aspect: 'corpUserEditableInfo',
        mentions: [...platforms, ...persona],
        apply: (current) => merged(current, said),
      },
    ]);
  }

  /**
   * Says of an account that it is active or suspended. The tokens of the user are not touched.
   * @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID
   */
  async setStatus(principal: Principal, urn: string, status: string): Promise<void> {
    await this.edits.submit(principal, [
      {
        ...this.user(urn, 'account'),
        aspect: 'corpUserStatus',
        apply: (current, { stamp }) =>
          current?.['status'] === status ? undefined : { status, lastModified: stamp },
      },
    ]);
  }

  /** Sets what the caller has chosen; the user is made when the catalog does not know it yet. */
  async choose(principal: Principal, name: UserSetting, value: boolean): Promise<void> {
    await this.edits.submit(principal, [
      {
        ...this.user(principal.actor, 'settings'),
        aspect: 'corpUserSettings',
        entity: 'any',
        ofCaller: true,
        apply: (current) => {
          const appearance = (current?.['appearance'] ?? {}) as Record<string, unknown>;
          return merged(current, { appearance: { ...appearance, [name]: value } });
        },
      },
    ]);
  }

  /** Permanently deletes a user; it is taken off what refers to it in the background. @throws CatalogError ENTITY_NOT_FOUND */
  async delete(principal: Principal, urn: string): Promise<void> {
    await this.edits.delete(principal, this.user(urn, 'user'), []);
  }

  private user(urn: string, what: string): Pick<AspectEdit, 'urn' | 'at' | 'what'> {
    const user = { urn, at: '/urn' };
    this.edits.checkMentions([{ ...user, types: ['corpuser'] }]);
    return { ...user, what };
  }
}
