import { Global, Module } from '@nestjs/common';
import { SessionHolders } from '../auth/index.js';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { AccountHolders } from './account-holders.js';
import { AccountRepository } from './account.repository.js';
import { AccountsService } from './accounts.service.js';
import { FrontServerController } from './front-server.controller.js';
import { RoleAssignment } from './role-assignment.js';
import { SignInAttempts } from './sign-in-attempts.js';
import { SignInController } from './sign-in.controller.js';
import { SignInService } from './sign-in.service.js';

/** Accounts with passwords, and the calls of web clients that sign people in and out. */
@Global()
@Module({
  imports: [EntitiesModule, IngestModule],
  controllers: [SignInController, FrontServerController],
  providers: [
    AccountRepository,
    AccountsService,
    RoleAssignment,
    { provide: SessionHolders, useClass: AccountHolders },
    SignInAttempts,
    SignInService,
    lazyResolvers(() => import('./accounts.resolver.js')),
    lazyResolvers(() => import('./native-users.resolver.js')),
  ],
  exports: [SessionHolders],
})
export class SignInModule {}
