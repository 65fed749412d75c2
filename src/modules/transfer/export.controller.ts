import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../catalog/auth/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { ExportService } from './export.service.js';
import { exportCatalog } from './export.routes.js';

/** `/openapi/v3/export`. */
@Controller()
export class ExportController {
  constructor(private readonly service: ExportService) {}

  @Serves(exportCatalog)
  @Marked({ waits: true })
  async export(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(exportCatalog) values: ValuesOf<typeof exportCatalog>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { entityType = [], urn = [], query, history = true, timeseries = true, tokens = false } = values;
    const { cut, skipLines = 0 } = values;
    const urns = urn.filter((pattern) => pattern !== '');
    const selection = {
      ...{ entityTypes: entityType, urns, history, timeseries, tokens, secrets: false },
      ...(query !== undefined && { query }),
    };
    await this.service.stream(principal, { selection, cut, skipLines }, reply.raw, () => {
      reply.hijack();
      return reply.getHeaders();
    });
  }
}
