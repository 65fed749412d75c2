/**
 * Injection token of the parts that the composition root knows of (queue, search), a list of `HealthPart`s. The database
 * is always one; modules add theirs as providers.
 */
export const HEALTH_PARTS = Symbol('HealthParts');
