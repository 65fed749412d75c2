import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { FormEdgesStep } from './form-edges.step.js';
import { FormsService } from './forms.service.js';

/** Forms, and what they are put to. */
@Module({
  imports: [IngestModule, SearchModule],
  providers: [FormsService, FormEdgesStep, lazyResolvers(() => import('./forms.resolver.js'))],
})
export class FormsModule {}
