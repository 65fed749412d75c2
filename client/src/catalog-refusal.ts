/** The service refused a GraphQL operation. */
export class CatalogRefusal extends Error {
  override readonly name = 'CatalogRefusal';
  /** Of HTTP; 200 where a part of an operation was refused. */
  readonly status: number;
  /** The log of the service has it. */
  readonly requestId: string | undefined;
  /** When to try again, seconds. */
  readonly retryAfter: number | undefined;

  /** @param code what is wrong, for programs */
  constructor(
    message: string,
    response: Response,
    readonly code: string | number | undefined,
  ) {
    super(message);
    this.status = response.status;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    const after = response.headers.get('retry-after');
    this.retryAfter = after === null ? undefined : Number(after);
  }
}
