import { Body, Controller } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { IngestService } from '../ingest/index.js';
import { readLineageEvent } from './lineage-event.js';
import { LineageProposals } from './lineage-proposals.js';
import { receiveLineageEvent } from './openlineage.routes.js';

/** `/openapi/openlineage`: takes events of OpenLineage producers such as Spark, Airflow, dbt and Trino. */
@Controller()
export class OpenlineageController {
  constructor(
    private readonly proposals: LineageProposals,
    private readonly ingest: IngestService,
  ) {}

  @Serves(receiveLineageEvent)
  @Marked({ writes: true })
  async receive(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(receiveLineageEvent) _: ValuesOf<typeof receiveLineageEvent>,
    @Body() body: unknown,
  ): Promise<void> {
    const proposals = await this.proposals.of(await readLineageEvent(body), principal.actor);
    await this.ingest.submit(principal, proposals);
  }
}
