import type { AccessTokenRow } from '../entities/access-token.row.js';

/** What of a token says whose it is. */
export type Holder = Pick<AccessTokenRow, 'actor' | 'parent' | 'role'>;

/** Who knows the users that are signed in, and their accounts. */
export abstract class SessionHolders {
  /** Whether the user of a session, or of a token that was made in one, may go on: is neither removed nor suspended. */
  abstract mayHold(holder: Holder): Promise<boolean>;
}
