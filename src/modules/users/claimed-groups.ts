import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SYSTEM_PRINCIPAL } from '../../catalog/auth/index.js';
import { sameJson } from '../../catalog/json/same-json.js';
import { JwtService, type VerifiedCaller } from '../auth/index.js';
import { EditService, type AspectEdit } from '../ingest/index.js';

/** Users whose groups are remembered, so that they are written when they change only. */
const REMEMBERED = 10_000;

/** Writes users and their groups as an identity provider says them, where that is wanted: when a user comes, and when the groups change. */
@Injectable()
export class ClaimedGroups implements OnApplicationBootstrap {
  private readonly logger = new Logger(ClaimedGroups.name);
  private readonly written = new Map<string, string>();

  constructor(
    @Inject(JwtService) private readonly tokens: JwtService,
    private readonly edits: EditService,
  ) {}

  onApplicationBootstrap(): void {
    this.tokens.listener = (caller) => void this.keep(caller);
  }

  /** The request goes on meanwhile, and whatever becomes of it: the next token is another chance. */
  private async keep(caller: VerifiedCaller): Promise<void> {
    const { actor, groups } = caller;
    const text = groups.join(' ');
    if (this.written.get(actor) === text) return;
    if (this.written.size >= REMEMBERED) this.written.delete(this.written.keys().next().value!);
    this.written.set(actor, text);
    try {
      await this.edits.submit(SYSTEM_PRINCIPAL, [
        ...groups.flatMap((urn) => groupEdits(urn, caller.issuer)),
        ...userEdits(caller, groups),
      ]);
    } catch (error) {
      this.written.delete(actor);
      this.logger.warn(`the groups of ${actor} could not be written: ${String(error)}`);
    }
  }
}

/** A group that the catalog does not know yet is one of that provider. */
function groupEdits(urn: string, issuer: string): AspectEdit[] {
  const group = { urn, at: '', what: 'groups', entity: 'any' } as const;
  const displayName = urn.slice('urn:li:corpGroup:'.length);
  return [
    {
      ...group,
      aspect: 'origin',
      apply: (_, { exists }) => (exists ? undefined : { type: 'EXTERNAL', externalType: issuer }),
    },
    {
      ...group,
      aspect: 'corpGroupInfo',
      apply: (current) => (current ? undefined : { displayName, admins: [], members: [], groups: [] }),
    },
  ];
}

function userEdits({ actor, name, email }: VerifiedCaller, groups: readonly string[]): AspectEdit[] {
  const user = { urn: actor, at: '', what: 'groups', entity: 'any' } as const;
  const displayName = name ?? actor.slice('urn:li:corpuser:'.length);
  return [
    {
      ...user,
      aspect: 'corpUserInfo',
      apply: (current) => (current ? undefined : { active: true, displayName, ...(email && { email }) }),
    },
    {
      ...user,
      aspect: 'groupMembership',
      apply: (current) => {
        const same = sameJson(current?.['groups'] ?? [], groups);
        return same ? undefined : { ...current, groups };
      },
    },
  ];
}
