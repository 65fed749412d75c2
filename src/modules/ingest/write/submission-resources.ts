import { Resource } from '../../../catalog/auth/index.js';
import type { ChangeProposal } from '../../../catalog/change/index.js';
import type { EntitySpec, Model } from '../../../catalog/model/index.js';
import { givenAspects, type Submission } from './submission.js';
import type { UnitOfWork } from './unit-of-work.js';

/** The entities of a submission as access policies look at them: what they were before it. */
export class SubmissionResources {
  private readonly known = new Map<string, Resource>();
  private readonly made = new Set<string>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly submission: Submission,
    private readonly model: Model,
  ) {}

  /** The entity of a proposal. @param live whether it exists; else it is looked at as a new one */
  async of({ urn, entity }: ChangeProposal, live: boolean): Promise<Resource> {
    const known = this.known.get(urn.text);
    if (known !== undefined) return known;
    if (live) return this.stored(urn.text, entity);
    this.made.add(urn.text);
    return this.remember(this.given(urn.text, entity));
  }

  /** Whether an entity that was looked at did not exist before the submission. */
  isNew(urn: string): boolean {
    return this.made.has(urn);
  }

  /** A new entity: what the submission gives it. */
  given(urn: string, entity: EntitySpec): Resource {
    const given = givenAspects(this.submission, urn);
    return new Resource(urn, entity.name, (name) => {
      const first = given.get(name);
      const isWhole = first !== undefined && first.changeType !== 'DELETE' && first.changeType !== 'PATCH';
      return isWhole ? (first.value as Record<string, unknown> | undefined) : undefined;
    });
  }

  /** Whether an entity exists, as far as the caller may know. */
  async exists(urn: string): Promise<boolean> {
    const { access } = this.submission.principal;
    if (!(await this.work.exists(urn))) return false;
    const entity = this.model.entities.get(this.work.known(urn)?.type ?? '');
    if (access === undefined || entity === undefined) return true;
    return access.reads(this.known.get(urn) ?? (await this.stored(urn, entity)));
  }

  private async stored(urn: string, entity: EntitySpec): Promise<Resource> {
    const values = new Map<string, Record<string, unknown> | undefined>();
    for (const name of this.submission.principal.access?.aspects ?? [])
      if (entity.has(name)) values.set(name, await this.work.lookUp(urn, name));
    return this.remember(new Resource(urn, entity.name, (name) => values.get(name)));
  }

  private remember(resource: Resource): Resource {
    this.known.set(resource.urn, resource);
    return resource;
  }
}
