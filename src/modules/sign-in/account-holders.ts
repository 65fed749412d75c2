import { Inject, Injectable } from '@nestjs/common';
import { accountParent, isWithin, SessionHolders, type Holder } from '../auth/index.js';
import { AccountRepository } from './account.repository.js';
import { stateOf } from './accounts.service.js';

/** Says whether users may go on who are signed in. */
@Injectable()
export class AccountHolders extends SessionHolders {
  constructor(@Inject(AccountRepository) private readonly accounts: AccountRepository) {
    super();
  }

  override async mayHold({ actor, parent, role }: Holder): Promise<boolean> {
    const user = await this.accounts.userState(actor);
    if (user.deleted || user.removed || user.suspended) return false;
    if (parent !== accountParent(actor)) return true;
    const account = await this.accounts.find(actor);
    // No more than the account, also where it has lost its role while a session began.
    return account !== undefined && stateOf(account, user) === 'ACTIVE' && isWithin(role, account.role);
  }
}
