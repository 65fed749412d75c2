import { refuse } from '../errors/index.js';

/** The pattern of a duration, as clients write it; an empty text is none. */
export const DURATION = '^(?:[0-9]{1,9}(?:d|h|m|s|ms))?$';
/** What {@link DURATION} asks for, in words. */
export const DURATION_RULE = 'must be a duration such as 5m, or empty';

const pattern = new RegExp(DURATION);

/**
 * Checks a duration of a parameter that has no schema of {@link check}. None at all is fine.
 * @throws CatalogError PARAMETER_INVALID
 */
export function checkDuration(value: string | null | undefined, pointer: string): void {
  if (!pattern.test(value ?? '')) throw refuse('PARAMETER_INVALID', DURATION_RULE, pointer);
}
