import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { AuditStamp } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import { EditService } from '../ingest/index.js';

const ASPECT = 'incidentInfo';

/** How far an incident is. */
export interface Status {
  readonly state: string;
  readonly stage?: string;
  readonly message?: string;
}

/** A new incident: what the aspect keeps of it, and whom it concerns. */
export interface NewIncident {
  readonly assets: readonly string[];
  readonly assignees: readonly string[];
  readonly status: Status;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Problems that people and other tools report on assets. */
@Injectable()
export class IncidentsService {
  private readonly onTypes: readonly string[];

  constructor(
    private readonly edits: EditService,
    model: Model,
  ) {
    const marks = model.aspects.get(ASPECT)?.relationships ?? [];
    this.onTypes = marks.find(({ name }) => name === 'IncidentOn')?.targets ?? [];
  }

  /**
   * @returns the URN of the incident
   * @throws CatalogError PARAMETER_MISSING without an asset, ENTITY_NOT_FOUND for one that does not exist, PARAMETER_INVALID, URN_MALFORMED
   */
  async raise(principal: Principal, { assets, assignees, status, details }: NewIncident): Promise<string> {
    if (assets.length === 0)
      throw refuse('PARAMETER_MISSING', 'an incident is on at least one asset', '/resourceUrn');
    const urn = `urn:li:incident:${randomUUID()}`;
    await this.edits.submit(principal, [
      {
        ...{ urn, at: '/resourceUrn', aspect: ASPECT, what: 'incident', entity: 'new' },
        mentions: [
          ...assets.map((asset) => ({ urn: asset, at: '/resourceUrn', types: this.onTypes })),
          ...assignees.map((one) => ({ urn: one, at: '/assigneeUrns', types: ['corpuser', 'corpGroup'] })),
        ],
        apply: (_, { stamp }) => ({
          ...details,
          entities: [...assets],
          ...(assignees.length > 0 && {
            assignees: assignees.map((actor) => ({ actor, assignedAt: stamp })),
          }),
          status: stampedStatus(status, stamp),
          created: stamp,
        }),
      },
    ]);
    return urn;
  }

  /** @throws CatalogError ENTITY_NOT_FOUND, URN_MALFORMED, ASPECT_UNKNOWN for what is no incident */
  async setStatus(principal: Principal, urn: string, status: Status): Promise<void> {
    await this.edits.submit(principal, [
      {
        ...{ urn, at: '/urn', aspect: ASPECT, what: 'incident' },
        apply: (current, { stamp }) => {
          if (current === undefined)
            throw refuse('ENTITY_NOT_FOUND', `${urn} says nothing of itself`, '/urn');
          return { ...current, status: stampedStatus(status, stamp) };
        },
      },
    ]);
  }
}

const stampedStatus = (status: Status, lastUpdated: AuditStamp) => ({ ...status, lastUpdated });
