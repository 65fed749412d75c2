import type { EntitySpec } from '../../../catalog/model/index.js';
import type { Urn } from '../../../catalog/urn/index.js';

/** Looks up a value as the running transaction sees it. */
export type LookUp = (urn: string, aspect: string) => Promise<Record<string, unknown> | undefined>;

/** Fields of key aspects that name the platform of an entity, as a URN or as a bare word. */
const PLATFORM_FIELDS = ['platform', 'dashboardTool', 'notebookTool', 'orchestrator'];

/** `dataPlatformInstance` of an entity that nobody gave one: the platform that its key names. */
export function defaultPlatformInstance(key: Record<string, unknown>): Record<string, unknown> | undefined {
  for (const field of PLATFORM_FIELDS) {
    const value = key[field];
    if (typeof value !== 'string' || value === '') continue;
    // Some keys take a URN of any kind there; only that of a platform makes a value that the aspect's schema allows.
    if (value.startsWith('urn:li:') && !value.startsWith('urn:li:dataPlatform:')) continue;
    return { platform: value.startsWith('urn:li:') ? value : `urn:li:dataPlatform:${value}` };
  }
  return undefined;
}

/**
 * `browsePathsV2` of an entity that nobody gave one: below its container, or by the parts of a dataset's name
 * (split where its platform says), or the one path that everything else shares.
 */
export async function defaultBrowsePath(
  entity: EntitySpec,
  urn: Urn,
  key: Record<string, unknown>,
  lookUp: LookUp,
): Promise<Record<string, unknown>> {
  const container = (await lookUp(urn.text, 'container'))?.['container'];
  if (typeof container === 'string') {
    const above = (await lookUp(container, 'browsePathsV2'))?.['path'];
    const path = Array.isArray(above) ? (above as unknown[]) : [];
    return { path: [...path.filter(isContainerStep), { id: container, urn: container }] };
  }
  const names = entity.name === 'dataset' ? await folders(key, lookUp) : [];
  return { path: names.length > 0 ? names.map((id) => ({ id })) : [{ id: 'Default' }] };
}

async function folders(key: Record<string, unknown>, lookUp: LookUp): Promise<string[]> {
  const platform = await lookUp(String(key['platform']), 'dataPlatformInfo');
  const delimiter = platform?.['datasetNameDelimiter'];
  const name = String(key['name']);
  return name
    .split(typeof delimiter === 'string' && delimiter !== '' ? delimiter : '.')
    .slice(0, -1)
    .filter((part) => part !== '');
}

/** The shared path of container-less things is no place to be below. */
function isContainerStep(step: unknown): boolean {
  return (step as { id?: unknown }).id !== 'Default';
}
