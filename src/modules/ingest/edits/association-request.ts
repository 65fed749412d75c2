import { refuseEmpty, readResource, type ResourceInput } from './resource.js';
import type { AssociationRequest } from './associations.service.js';

/** One URN and one resource, as in `addTag(input: {tagUrn, resourceUrn})`. */
export function ofOne(name: string, urn: string, resource: ResourceInput): AssociationRequest {
  const at = `/${name}`;
  return { urns: [urn], urnsAt: at, urnAt: () => at, resources: [readResource(resource, '')] };
}

/** Several URNs and one resource. */
export function ofMany(name: string, urns: readonly string[], resource: ResourceInput): AssociationRequest {
  return { ...listed(name, urns), resources: [readResource(resource, '')] };
}

/** Several URNs and several resources. */
export function ofBatch(
  name: string,
  urns: readonly string[],
  resources: readonly ResourceInput[],
): AssociationRequest {
  const resourcesAt = '/resources';
  refuseEmpty(resources, resourcesAt);
  return {
    ...listed(name, urns),
    resources: resources.map((resource, i) => readResource(resource, `${resourcesAt}/${i}`)),
    resourcesAt,
  };
}

function listed(name: string, urns: readonly string[]): Omit<AssociationRequest, 'resources'> {
  const urnsAt = `/${name}`;
  return { urns, urnsAt, urnAt: (i) => `${urnsAt}/${i}` };
}
