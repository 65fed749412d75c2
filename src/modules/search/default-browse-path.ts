import { Injectable } from '@nestjs/common';
import { DefaultAspect, type NewEntity } from '../../catalog/extension/index.js';

/** The folder of everything that is in no other. */
const SHARED = 'Default';

/**
 * A new entity is browsed to below its containers, or a dataset by the parts of its name (split where its platform
 * says), or in the one folder that everything else shares.
 */
@Injectable()
export class DefaultBrowsePath extends DefaultAspect {
  readonly aspect = 'browsePathsV2';

  async valueFor(created: NewEntity): Promise<Record<string, unknown>> {
    const containers = await containersOf(created);
    const [outermost] = containers;
    if (outermost !== undefined) {
      const above = (await created.aspectOf(outermost, this.aspect))?.['path'];
      const path = Array.isArray(above) ? (above as unknown[]) : [];
      return { path: [...path.filter(isContainerStep), ...containers.map((urn) => ({ id: urn, urn }))] };
    }
    const names = created.entity.name === 'dataset' ? await folders(created) : [];
    return { path: names.length > 0 ? names.map((id) => ({ id })) : [{ id: SHARED }] };
  }
}

/** The containers of a new entity, the outermost first. Each may have got its own later than its first aspect. */
async function containersOf(created: NewEntity): Promise<string[]> {
  const found = new Set<string>();
  for (let urn = created.urn.text; ;) {
    const container = (await created.aspectOf(urn, 'container'))?.['container'];
    if (typeof container !== 'string' || container === created.urn.text || found.has(container)) break;
    found.add(container);
    urn = container;
  }
  return [...found].reverse();
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
