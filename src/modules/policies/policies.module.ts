import { Global, Module } from '@nestjs/common';
import { AccessPolicies } from '../../catalog/auth/index.js';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { PoliciesService } from './policies.service.js';
import { PolicyEdits } from './policy-edits.service.js';
import { PolicyRules } from './policy-rules.policy.js';

/** Who may read and change what: access policies. The guard and the write path ask them through the kernel. */
@Global()
@Module({
  imports: [EntitiesModule, IngestModule, SearchModule],
  providers: [
    PoliciesService,
    { provide: AccessPolicies, useExisting: PoliciesService },
    PolicyRules,
    PolicyEdits,
    lazyResolvers(() => import('./policies.resolver.js')),
  ],
  exports: [AccessPolicies],
})
export class PoliciesModule {}
