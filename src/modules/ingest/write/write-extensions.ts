import type { ChangeProposal } from '../../../catalog/change/index.js';
import type { Steps } from '../../../catalog/schedule/index.js';
import {
  AspectCompletion,
  DefaultAspect,
  ProposalPolicy,
  AspectCodec,
  SideEffect,
} from '../../../catalog/extension/index.js';
import type { EntitySpec, Model } from '../../../catalog/model/index.js';

/** What other modules add to the writing of their aspects. */
export type WriteExtension = ProposalPolicy | AspectCodec | AspectCompletion | DefaultAspect | SideEffect;

/** The kinds of extensions, to look for among the providers of the application. */
export const WRITE_EXTENSIONS = [
  ProposalPolicy,
  AspectCodec,
  AspectCompletion,
  DefaultAspect,
  SideEffect,
] as const;

/** The extensions of the write engine, by the aspect they are for. */
export class WriteExtensions {
  private readonly judges = new Map<string, ProposalPolicy[]>();
  private readonly codecs = new Map<string, AspectCodec>();
  private readonly completions = new Map<string, AspectCompletion>();
  private readonly effects = new Map<string, SideEffect>();
  private readonly starts = new Map<string, DefaultAspect>();

  constructor(private readonly model: Model) {}

  /** @throws Error when the model lacks an aspect it is for, or something else does the same for that aspect. */
  add(extension: WriteExtension): void {
    const { name } = extension.constructor;
    const aspects = extension instanceof ProposalPolicy ? extension.aspects : [extension.aspect];
    for (const aspect of aspects) {
      if (!this.model.aspects.has(aspect))
        throw new Error(`${name} is for the aspect ${aspect}, which the model does not have`);
      if (extension instanceof ProposalPolicy)
        this.judges.set(aspect, [...(this.judges.get(aspect) ?? []), extension]);
      else if (extension instanceof AspectCodec) putOnce(this.codecs, aspect, extension);
      else if (extension instanceof AspectCompletion) putOnce(this.completions, aspect, extension);
      else if (extension instanceof SideEffect) putOnce(this.effects, aspect, extension);
      else putOnce(this.starts, aspect, extension);
    }
  }

  policies(aspect: string): readonly ProposalPolicy[] | undefined {
    return this.judges.get(aspect);
  }

  /** Whether a proposal can bring its entity into being by itself. */
  creates(proposal: ChangeProposal): boolean {
    return (
      this.judges.get(proposal.aspect.name)?.every((policy) => policy.creates?.(proposal) ?? true) ?? true
    );
  }

  /** Whether an aspect of a new entity is written before others, see {@link ProposalPolicy.neededByOthers}. */
  neededByOthers(aspect: string): boolean {
    return this.judges.get(aspect)?.some((policy) => policy.neededByOthers === true) ?? false;
  }

  codec(aspect: string): AspectCodec | undefined {
    return this.codecs.get(aspect);
  }

  complete(aspect: string, value: Record<string, unknown>): void {
    this.completions.get(aspect)?.complete(value);
  }

  /** {@link complete} of a large value, in steps where the module has some. */
  *completeInSteps(aspect: string, value: Record<string, unknown>): Steps<void> {
    const completion = this.completions.get(aspect);
    if (completion?.completeInSteps) yield* completion.completeInSteps(value);
    else completion?.complete(value);
  }

  effect(aspect: string): SideEffect | undefined {
    return this.effects.get(aspect);
  }

  /** Those of the aspects that an entity may have. */
  effectsOf(entity: EntitySpec): SideEffect[] {
    return [...this.effects.values()].filter(({ aspect }) => entity.has(aspect));
  }

  defaults(): Iterable<DefaultAspect> {
    return this.starts.values();
  }
}

function putOnce<T extends object>(map: Map<string, T>, aspect: string, extension: T): void {
  const other = map.get(aspect)?.constructor.name;
  if (other !== undefined)
    throw new Error(`${extension.constructor.name} and ${other} are both for the aspect ${aspect}`);
  map.set(aspect, extension);
}
