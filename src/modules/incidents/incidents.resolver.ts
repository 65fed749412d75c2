import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { given } from '../../catalog/json/given.js';
import { RequestContext } from '../graphql/index.js';
import { storedPriority } from './incident.types.js';
import { IncidentStatusInput, RaiseIncidentInput } from './incidents.inputs.js';
import { IncidentsService } from './incidents.service.js';

/** Reports problems on assets, and how far they are. */
@Resolver()
export class IncidentsResolver {
  constructor(private readonly incidents: IncidentsService) {}

  @Mutation(() => String, {
    nullable: true,
    description: 'Reports a problem on assets. Answers the URN of the incident.',
  })
  raiseIncident(
    @Context() context: RequestContext,
    @Args('input', { type: () => RaiseIncidentInput, description: 'What happened, and to which assets.' })
    input: RaiseIncidentInput,
  ): Promise<string> {
    const { resourceUrn, resourceUrns, assigneeUrns, status, priority, source, ...details } = input;
    const assets = [...(typeof resourceUrn === 'string' ? [resourceUrn] : []), ...(resourceUrns ?? [])];
    return this.incidents.raise(context.principal, {
      assets: [...new Set(assets)],
      assignees: [...new Set(assigneeUrns ?? [])],
      status: status ? given({ ...status }) : { state: 'ACTIVE' },
      details: given({
        ...details,
        source: source && given({ ...source }),
        priority: priority && storedPriority(priority),
      }),
    });
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Says how far an incident is.' })
  async updateIncidentStatus(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String, description: 'URN of the incident.' }) urn: string,
    @Args('input', { type: () => IncidentStatusInput, description: 'How far it is.' })
    input: IncidentStatusInput,
  ): Promise<boolean> {
    await this.incidents.setStatus(context.principal, urn, given({ ...input }));
    return true;
  }
}
