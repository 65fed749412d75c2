import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { sameJson } from '../../catalog/json/same-json.js';
import { EditService } from '../ingest/index.js';

/** How something is shown; what is left out stays as it is. */
export interface DisplayRequest {
  readonly colorHex?: string | undefined;
  readonly icon?: Readonly<Record<string, string | null | undefined>> | undefined;
}

const COLOR = /^#[0-9a-f]{6}$/i;
const ICON = ['iconLibrary', 'name', 'style'] as const;

/** Says with which colour and icon domains, terms and folders are shown. */
@Injectable()
export class DisplayPropertiesService {
  constructor(private readonly edits: EditService) {}

  /** @throws CatalogError ENTITY_NOT_FOUND; ASPECT_UNKNOWN for what has no display properties; PARAMETER_INVALID */
  async update(principal: Principal, urn: string, { colorHex, icon }: DisplayRequest): Promise<void> {
    if (colorHex !== undefined && !COLOR.test(colorHex))
      throw refuse('PARAMETER_INVALID', 'a colour is # and six hexadecimal digits', '/colorHex');
    await this.edits.submit(principal, [
      {
        urn,
        at: '/urn',
        aspect: 'displayProperties',
        what: 'display properties',
        apply: (current) => {
          const next = {
            ...current,
            ...(colorHex !== undefined && { colorHex }),
            ...(icon !== undefined && { icon: iconOf(current?.['icon'], icon) }),
          };
          return sameJson(next, current) ? undefined : next;
        },
      },
    ]);
  }
}

/** An icon has all of its parts: those that a request leaves out must be there already. */
function iconOf(current: unknown, said: NonNullable<DisplayRequest['icon']>): Record<string, unknown> {
  const next = { ...(current as Record<string, unknown> | undefined) };
  for (const part of ICON) {
    next[part] = said[part] ?? next[part];
    if (next[part] === undefined)
      throw refuse('PARAMETER_MISSING', `an icon needs ${ICON.join(', ')}`, `/icon/${part}`);
  }
  return next;
}
