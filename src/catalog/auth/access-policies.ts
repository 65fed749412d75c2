import type { Principal } from './principal.js';

/** Who knows the policies. Callers are what a token makes of them until this was asked. */
export abstract class AccessPolicies {
  /**
   * The caller with what the policies make of the role. The same object when no policy restricts the caller.
   * @throws CatalogError SERVICE_UNAVAILABLE when the policies cannot be read
   */
  abstract applyTo(principal: Principal): Promise<Principal>;
  /** The same without waiting; undefined when the policies have to be asked. */
  abstract known(principal: Principal): Principal | undefined;
  /** To be called with the type of each entity that this process has changed, once that is committed: a changed policy holds at once. */
  abstract committed(entityType: string): void;
}
