import { Injectable } from '@nestjs/common';
import { DefaultAspect, type NewEntity } from '../../catalog/extension/index.js';

/** The folder of everything that is in no other. */
const SHARED = 'Default';

/**
 * A new entity is browsed to below its container, or a dataset by the parts of its name (split where its platform
 * says), or in the one folder that everything else shares.
 */
@Injectable()
export class DefaultBrowsePath extends DefaultAspect {
  readonly aspect = 'browsePathsV2';

  async valueFor(created: NewEntity): Promise<Record<string, unknown>> {
    const container = (await created.aspectOf(created.urn.text, 'container'))?.['container'];
    if (typeof container === 'string') {
      const above = (await created.aspectOf(container, this.aspect))?.['path'];
      const path = Array.isArray(above) ? (above as unknown[]) : [];
      return { path: [...path.filter(isContainerStep), { id: container, urn: container }] };
    }
    const names = created.entity.name === 'dataset' ? await folders(created) : [];
    return { path: names.length > 0 ? names.map((id) => ({ id })) : [{ id: SHARED }] };
  }
}

async function folders(created: NewEntity): Promise<string[]> {
  const platform = await created.aspectOf(String(created.key['platform']), 'dataPlatformInfo');
  const delimiter = platform?.['datasetNameDelimiter'];
  return String(created.key['name'])
    .split(typeof delimiter === 'string' && delimiter !== '' ? delimiter : '.')
    .slice(0, -1)
    .filter((part) => part !== '');
}

/** The shared folder of what has no container is no place to be below. */
function isContainerStep(step: unknown): boolean {
  return (step as { id?: unknown }).id !== SHARED;
}
