import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { EditContext } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { EditService } from '../ingest/index.js';
import { checkUrl, isLink, type Link } from './links.js';

/** A link as requests give it. */
export interface LinkRequest {
  readonly resourceUrn: string;
  readonly linkUrl: string;
  readonly label: string;
  readonly showInAssetPreview?: boolean | undefined;
}

/** Documentation links of any entity that can have them. */
@Injectable()
export class LinksService {
  constructor(private readonly edits: EditService) {}

  /** @throws CatalogError RULE_VIOLATED when the same link with the same label is there already. */
  async add(principal: Principal, request: LinkRequest): Promise<void> {
    checkLink(request);
    await this.change(principal, request.resourceUrn, (links, context) => {
      refuseTwin(links, request);
      return [...links, newLink(request, context)];
    });
  }

  /** Adds the link, or changes its settings when it is there already. */
  async upsert(principal: Principal, request: LinkRequest): Promise<void> {
    checkLink(request);
    await this.change(principal, request.resourceUrn, (links, context) => {
      const at = links.findIndex((link) => isLink(link, request.linkUrl, request.label));
      const old = links[at];
      if (old === undefined) return [...links, newLink(request, context)];
      if (request.showInAssetPreview === undefined) return undefined;
      return links.with(at, { ...old, ...settings(request), updateStamp: context.stamp });
    });
  }

  /** @throws CatalogError LINK_NOT_FOUND; RULE_VIOLATED when the new form is there already. */
  async update(
    principal: Principal,
    current: { url: string; label: string },
    request: LinkRequest,
  ): Promise<void> {
    checkLink(request);
    await this.change(principal, request.resourceUrn, (links, context) => {
      const at = links.findIndex((link) => isLink(link, current.url, current.label));
      const old = links[at];
      if (old === undefined) {
        const message = `the link '${current.url}' with label '${current.label}' does not exist`;
        throw refuse('LINK_NOT_FOUND', message, '/currentUrl');
      }
      if (!isLink(old, request.linkUrl, request.label)) refuseTwin(links, request);
      else if (request.showInAssetPreview === undefined) return undefined;
      const link = { ...old, url: request.linkUrl, description: request.label, ...settings(request) };
      return links.with(at, { ...link, updateStamp: context.stamp });
    });
  }

  /** Removes the link with this label, or every link to the address. One that is not there is no error. */
  async remove(principal: Principal, resourceUrn: string, url: string, label?: string): Promise<void> {
    await this.change(principal, resourceUrn, (links) =>
      links.filter((link) => link.url !== url || (label !== undefined && link.description !== label)),
    );
  }

  private async change(
    principal: Principal,
    urn: string,
    change: (links: readonly Link[], context: EditContext) => Link[] | undefined,
  ): Promise<void> {
    const edit = {
      urn,
      at: '/resourceUrn',
      aspect: 'institutionalMemory',
      what: 'links',
      apply: (current: Record<string, unknown> | undefined, context: EditContext) => {
        const links = (current?.['elements'] ?? []) as Link[];
        const elements = change(links, context);
        const unchanged = elements === undefined || (elements.length === 0 && links.length === 0);
        return unchanged ? undefined : { ...current, elements };
      },
    };
    await this.edits.submit(principal, [edit]);
  }
}

function checkLink({ linkUrl, label }: LinkRequest): void {
  checkUrl(linkUrl, '/linkUrl');
  if (label.trim() === '') throw refuse('PARAMETER_INVALID', 'a link needs a label', '/label');
}

function newLink(request: LinkRequest, { stamp }: EditContext): Link {
  return {
    url: request.linkUrl,
    description: request.label,
    createStamp: stamp,
    ...settings(request),
  };
}

const settings = ({ showInAssetPreview }: LinkRequest): { settings?: { showInAssetPreview: boolean } } =>
  showInAssetPreview === undefined ? {} : { settings: { showInAssetPreview } };

function refuseTwin(links: readonly Link[], { linkUrl, label }: LinkRequest): void {
  if (!links.some((link) => isLink(link, linkUrl, label))) return;
  throw refuse('RULE_VIOLATED', `The link '${linkUrl}' with label '${label}' already exists`, '/linkUrl');
}
