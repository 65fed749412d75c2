import type { Role } from '../../../catalog/auth/index.js';

/** Which JSON Web Tokens of identity providers are taken, and what is read from them. */
export interface OidcOptions {
  /** The issuers, exactly as the claim `iss` names them; without any, no such token is taken. */
  readonly issuers: readonly string[];
  /** What `aud` must name one of. */
  readonly audience: readonly string[];
  /** The claim with the name of the user. Where a token lacks it, `sub` is the name. */
  readonly userClaim: string;
  /** Claims with groups or roles: each a name, or a path such as `realm_access.roles`. */
  readonly groupsClaims: readonly string[];
  /** The role of the members of a group; of several, the one that allows most counts. */
  readonly roles: ReadonlyMap<string, Role>;
  /** The role of users without such a group; absent: they are refused. */
  readonly defaultRole?: Role | undefined;
  /** Whether users and their groups are written to the catalog. */
  readonly provision?: boolean;
}
