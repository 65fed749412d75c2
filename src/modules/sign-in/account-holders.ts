import { Inject, Injectable } from '@nestjs/common';
import { accountParent, SessionHolders, type Holder } from '../auth/index.js';
import { AccountRepository } from './account.repository.js';
import { stateOf } from './accounts.service.js';

/** Says whether users may go on who are signed in. */
@Injectable()
export class AccountHolders extends SessionHolders {
  constructor(@Inject(AccountRepository) private readonly accounts: AccountRepository) {
    super();
  }

  override async mayHold({ actor, parent }: Holder): Promise<boolean> {
    const user = await this.accounts.userState(actor);
    if (user.deleted || user.removed || user.suspended) return false;
    if (parent !== accountParent(actor)) return true;
    const account = await this.accounts.find(actor);
    return account !== undefined && stateOf(account, user) === 'ACTIVE';
  }
}
