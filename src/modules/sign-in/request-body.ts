import { refuse } from '../../catalog/errors/index.js';

/** Longer than all that anybody types or is sent. */
const MOST = 10_000;

/** The fields of a JSON body, each a text. */
export class RequestBody {
  private constructor(private readonly fields: Readonly<Record<string, unknown>>) {}

  /** @throws CatalogError PARAMETER_INVALID unless the body is a JSON object */
  static of(body: unknown): RequestBody {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw refuse('PARAMETER_INVALID', 'the body must be a JSON object');
    return new RequestBody(body as Record<string, unknown>);
  }

  /** Undefined when it is absent or null. @throws CatalogError PARAMETER_INVALID unless it is a string */
  optional(name: string): string | undefined {
    const value = this.fields[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string' || value.length > MOST)
      throw refuse('PARAMETER_INVALID', `${name} must be a string`, `/${name}`);
    return value;
  }

  /** @throws CatalogError PARAMETER_MISSING, PARAMETER_INVALID */
  text(name: string): string {
    const value = this.optional(name);
    if (value === undefined || value.trim() === '')
      throw refuse('PARAMETER_MISSING', `${name} is missing`, `/${name}`);
    return value;
  }
}
