import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { QuickRead, type PlainRequest, type QuickAnswer } from '../../catalog/extension/quick-read.js';
import { entityV2AnswerBytes } from './answers.js';
import { EntityReader } from './entity-reader.service.js';
import { isProtocolVersion, PROTOCOL_VERSION_HEADER } from './protocol-version.js';

/** `GET /entitiesV2/<urn>`: entities that were read recently and have not changed since. */
@Injectable()
export class EntitiesV2QuickRead extends QuickRead {
  constructor(private readonly reader: EntityReader) {
    super();
  }

  answer(principal: Principal, { params, headers }: PlainRequest): ReturnType<QuickRead['answer']> {
    if (!isProtocolVersion(headers[PROTOCOL_VERSION_HEADER])) return undefined;
    const { urn } = params as { urn: string };
    return this.reader.readRecent(principal, urn, (entity): QuickAnswer => ({
      body: entityV2AnswerBytes(entity),
    }));
  }
}
