import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SYSTEM_PRINCIPAL } from '../../catalog/auth/index.js';
import { Model } from '../../catalog/model/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { parseUrn } from '../../catalog/urn/index.js';
import { IngestService } from '../ingest/index.js';

/** Stores the first administrator as a user at start, where that is the rule and it has no description yet. */
@Injectable()
export class FirstUser implements OnApplicationBootstrap {
  constructor(
    private readonly ingest: IngestService,
    private readonly model: Model,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'compatibility'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { administrator, administratorStored } = this.settings.compatibility;
    if (!administratorStored) return;
    const urn = parseUrn(administrator);
    const entity = this.model.findEntity(urn.type);
    const aspect = entity && this.model.findAspect(entity, 'corpUserInfo');
    if (!entity || !aspect) throw new Error(`the model lacks corpUserInfo of ${urn.type}`);
    await this.ingest.submit(SYSTEM_PRINCIPAL, [
      {
        entity,
        aspect,
        urn,
        changeType: 'CREATE',
        value: { active: true, system: true, displayName: urn.id },
        // Left out in silence where there is one.
        conditions: [{ kind: 'noneMatch', tags: '*', pointer: '' }],
        systemMetadata: { runId: 'system' },
        pointer: '',
        valuePointer: '',
      },
    ]);
  }
}
