import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { sequenceTag } from '../../../catalog/change/index.js';
import { QuickRead, type PlainRequest, type QuickAnswer } from '../../../catalog/extension/quick-read.js';
import { EntityReader } from '../../entities/index.js';
import { storedEntityBytes, V2, V3, type EntityForm } from '../answers/entity-form.js';
import { hasConditions } from './read-conditions.js';

/** `GET /openapi/v2|v3/entity/<entity>/<urn>`: entities that were read recently and have not changed since. */
@Injectable()
export class EntityQuickRead extends QuickRead {
  constructor(private readonly reader: EntityReader) {
    super();
  }

  answer(principal: Principal, { url, params, headers }: PlainRequest): ReturnType<QuickRead['answer']> {
    const form = formOf(url);
    if (form === undefined || hasConditions(headers)) return undefined;
    const path = params as { entity: string; urn: string };
    return this.reader.readRecent(principal, path.urn, (entity): QuickAnswer | undefined => {
      if (entity.entityType !== path.entity) return undefined;
      const etag = `"${sequenceTag(entity.sequence)}"`;
      return { body: storedEntityBytes(form, entity, false), headers: { etag } };
    });
  }
}

/** Undefined for spellings that only the router understands. */
function formOf(url: string): EntityForm | undefined {
  if (url.startsWith('/openapi/v3/entity/')) return V3;
  return url.startsWith('/openapi/v2/entity/') ? V2 : undefined;
}
