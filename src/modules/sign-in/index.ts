export { AccountRepository } from './account.repository.js';
export { AccountsService } from './accounts.service.js';
export { AccountRow } from './entities/account.row.js';
export { InvitationRow } from './entities/invitation.row.js';
export { SignInAttemptRow } from './entities/sign-in-attempt.row.js';
export { SignInModule } from './sign-in.module.js';
