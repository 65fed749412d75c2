import type { Principal } from '../auth/index.js';

/** A GET, as far as it says what to read. */
export interface PlainRequest {
  /** The request target as it came. */
  readonly url: string;
  /** The values of the route's parameters, decoded. */
  readonly params: unknown;
  /** The parameters of the query, decoded. */
  readonly query: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** JSON that is sent as it is, with status 200. */
export interface QuickAnswer {
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a client is told that the body is; `application/json` where nothing is said. */
  readonly contentType?: string;
  /** Called when the body is not needed any more. */
  readonly sent?: () => void;
}

/**
 * Extension point: repeats recent answers of a route to plain requests, byte for byte. Most of what such a read costs is the way to
 * the controller. A route names its quick read in its marks; the shell asks it first.
 */
export abstract class QuickRead {
  /** Whether requests with a query are plain as well. */
  readonly readsQuery: boolean = false;

  /**
   * The answer, if it is still true at this moment. Undefined leaves the request to the route, as does everything
   * that may have to be refused.
   * @param principal the caller, authenticated but not yet authorised
   */
  abstract answer(
    principal: Principal,
    request: PlainRequest,
  ): QuickAnswer | undefined | Promise<QuickAnswer | undefined>;
}
