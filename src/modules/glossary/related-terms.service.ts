import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { refuseEmpty, EditService, refuseMissing, type Mention } from '../ingest/index.js';

/** How a term may relate to others, and the list of the aspect that says so. */
const RELATIONS = {
  isA: 'isRelatedTerms',
  hasA: 'hasRelatedTerms',
} as const;

interface RelatedTermsRequest {
  readonly urn: string;
  readonly termUrns: readonly string[];
  readonly relationshipType: keyof typeof RELATIONS;
}

const TERM = ['glossaryTerm'];

/** Relations between glossary terms. Doing either twice changes nothing. */
@Injectable()
export class RelatedTermsService {
  constructor(private readonly edits: EditService) {}

  /** @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID, RULE_VIOLATED for a term related to itself. */
  async add(principal: Principal, request: RelatedTermsRequest): Promise<void> {
    const mentions = this.mentionsOf(request);
    mentions.forEach(({ urn, at }) => {
      if (urn === request.urn) throw refuse('RULE_VIOLATED', 'a term cannot be related to itself', at);
    });
    await this.change(principal, request, mentions, (terms) => [...new Set([...terms, ...request.termUrns])]);
  }

  /** A term that does not exist any more can still be taken out. */
  async remove(principal: Principal, request: RelatedTermsRequest): Promise<void> {
    const mentions = this.mentionsOf(request);
    const gone = new Set(request.termUrns);
    await this.change(principal, request, mentions, (terms) => terms.filter((urn) => !gone.has(urn)));
  }

  private async change(
    principal: Principal,
    { urn, relationshipType }: RelatedTermsRequest,
    mentions: readonly Mention[],
    change: (terms: readonly string[]) => string[],
  ): Promise<void> {
    const list = RELATIONS[relationshipType];
    await this.edits.submit(principal, [
      {
        urn,
        at: '/urn',
        aspect: 'glossaryRelatedTerms',
        what: 'related terms',
        looksAtEntities: mentions.map((mention) => mention.urn),
        apply: async (current, context) => {
          const terms = (current?.[list] ?? []) as string[];
          await refuseMissing(
            mentions.filter((mention) => !terms.includes(mention.urn)),
            context,
          );
          const next = change(terms);
          return next.length === terms.length ? undefined : { ...current, [list]: next };
        },
      },
    ]);
  }

  private mentionsOf({ urn, termUrns }: RelatedTermsRequest): Mention[] {
    refuseEmpty(termUrns, '/termUrns');
    const mentions = termUrns.map((term, i) => ({ urn: term, at: `/termUrns/${i}`, types: TERM }));
    this.edits.checkMentions([{ urn, at: '/urn', types: TERM }, ...mentions]);
    return mentions;
  }
}
