import { Injectable } from '@nestjs/common';
import { SYSTEM_PRINCIPAL, type Principal } from '../../catalog/auth/index.js';
import { sameJson } from '../../catalog/json/same-json.js';
import { EntityReader } from '../entities/index.js';
import { EditService, refuseEmpty } from '../ingest/index.js';

/** How far a user got in a guided tour of a web client. */
export interface StepState {
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
}

const ASPECT = 'dataHubStepStateProperties';

const urnOf = (id: string): string => `urn:li:dataHubStepState:${id}`;

/** Whether a state is that of the caller: web clients put the URN of the user before the name of the tour. */
const isOwn = ({ actor }: Principal, id: string): boolean => id.startsWith(`${actor}-`);

/** Keeps how far users got in the guided tours of web clients. */
@Injectable()
export class StepStatesService {
  constructor(
    private readonly edits: EditService,
    private readonly entities: EntityReader,
  ) {}

  /** The states that are kept, of those asked for. */
  async read(principal: Principal, ids: readonly string[]): Promise<StepState[]> {
    const urns = ids.map((id, i) => this.edits.entity(urnOf(id), `/ids/${i}`).urn.text);
    const own = urns.filter((_, i) => isOwn(principal, ids[i]!));
    const found = new Map([
      ...(await this.entities.read(principal, urns, [ASPECT])),
      // Policies are about what is catalogued.
      ...(await this.entities.read(SYSTEM_PRINCIPAL, own, [ASPECT])),
    ]);
    return ids.flatMap((id, i) => {
      const value = found.get(urns[i]!)?.aspects.get(ASPECT)?.value;
      return value === undefined ? [] : [{ id, properties: value['properties'] as StepState['properties'] }];
    });
  }

  /** All in one transaction, or none. @throws CatalogError PARAMETER_INVALID, URN_MALFORMED, NOT_ALLOWED for states of others */
  async write(principal: Principal, states: readonly StepState[]): Promise<void> {
    refuseEmpty(states, '/states');
    await this.edits.submit(
      principal,
      states.map(({ id, properties }, i) => ({
        urn: urnOf(id),
        at: `/states/${i}/id`,
        aspect: ASPECT,
        what: 'properties',
        entity: 'any',
        ofCaller: isOwn(principal, id),
        apply: (current, { stamp }) =>
          sameJson(current?.['properties'], properties) ? undefined : { properties, lastModified: stamp },
      })),
    );
  }
}
