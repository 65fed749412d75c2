import { Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import { EditService, type Mention } from '../ingest/index.js';
import { isSystemType, roleOf, type Owner } from './owners.js';

/** What can own something. */
export const OWNER_TYPES: readonly string[] = ['corpuser', 'corpGroup'];

const BY_NAME: Readonly<Record<string, string>> = { CORP_USER: 'corpuser', CORP_GROUP: 'corpGroup' };

/** An owner as requests name it. */
export interface OwnerRequest {
  readonly ownerUrn: string;
  readonly ownerEntityType?: string | null | undefined;
  readonly type?: string | null | undefined;
  readonly ownershipTypeUrn?: string | null | undefined;
  /** JSON pointers of the object and of the owner's URN in the request. */
  readonly at: string;
  readonly urnAt: string;
}

/** Reads owners: users and groups that exist, in roles that exist. */
@Injectable()
export class OwnerRules {
  private readonly words: readonly string[];

  constructor(
    private readonly edits: EditService,
    model: Model,
  ) {
    this.words = (model.definitions.get('common.OwnershipType')?.enum ?? []) as string[];
  }

  /** @throws CatalogError PARAMETER_INVALID for a role that there is not, and for what is neither user nor group. */
  read(requests: readonly OwnerRequest[]): { owners: Owner[]; mentions: Mention[] } {
    const mentions = requests.flatMap((request) => this.mentionsOf(request));
    this.edits.checkMentions(mentions);
    const owners = requests.map(({ ownerUrn, type, ownershipTypeUrn }) => ({
      owner: ownerUrn,
      ...roleOf(type ?? undefined, ownershipTypeUrn ?? undefined, this.words),
      source: { type: 'MANUAL' },
    }));
    return { owners, mentions };
  }

  private mentionsOf({ ownerUrn, ownerEntityType, at, urnAt, ...role }: OwnerRequest): Mention[] {
    const type = role.type ?? undefined;
    if (type !== undefined && !this.words.includes(type))
      throw refuse('PARAMETER_INVALID', `type must be one of ${this.words.join(', ')}`, `${at}/type`);
    const named = BY_NAME[ownerEntityType ?? ''];
    const owner = { urn: ownerUrn, at: urnAt, types: named === undefined ? OWNER_TYPES : [named] };
    const typeUrn = role.ownershipTypeUrn ?? undefined;
    if (typeUrn === undefined) return [owner];
    const mention = { urn: typeUrn, at: `${at}/ownershipTypeUrn`, types: ['ownershipType'] };
    this.edits.checkMentions([mention]);
    // Roles that ship with the service need no entity.
    return isSystemType(typeUrn) ? [owner] : [owner, mention];
  }
}
