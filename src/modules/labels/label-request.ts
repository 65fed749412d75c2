import { refuseEmpty, readResource, type ResourceInput } from '../ingest/index.js';
import type { LabelRequest } from './labels.service.js';

/** One label and one resource, as in `addTag(input: {tagUrn, resourceUrn})`. */
export function ofOne(name: string, label: string, resource: ResourceInput): LabelRequest {
  const at = `/input/${name}`;
  return { labels: [label], labelsAt: at, labelAt: () => at, resources: [readResource(resource, '/input')] };
}

/** Several labels and one resource. */
export function ofMany(name: string, labels: readonly string[], resource: ResourceInput): LabelRequest {
  return { ...listed(name, labels), resources: [readResource(resource, '/input')] };
}

/** Several labels and several resources. */
export function ofBatch(
  name: string,
  labels: readonly string[],
  resources: readonly ResourceInput[],
): LabelRequest {
  const resourcesAt = '/input/resources';
  refuseEmpty(resources, resourcesAt);
  return {
    ...listed(name, labels),
    resources: resources.map((resource, i) => readResource(resource, `${resourcesAt}/${i}`)),
    resourcesAt,
  };
}

function listed(name: string, labels: readonly string[]): Omit<LabelRequest, 'resources'> {
  const labelsAt = `/input/${name}`;
  return { labels, labelsAt, labelAt: (i) => `${labelsAt}/${i}` };
}
