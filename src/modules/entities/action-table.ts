import type { Principal } from '../../catalog/auth/index.js';
import { refuseConditions, refuseIdempotencyKey, type HttpHeaders } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Parameters } from '../../catalog/restli/index.js';
import type { Actions, Resource, ServedAction } from '../../catalog/route/index.js';
import { PROTOCOL_VERSION_HEADER, requireProtocolVersion } from './protocol-version.js';

/**
 * Actions that write aspects, `/<resource>?action=<name>`, as their modules declare them: known when the application has
 * started.
 */
export const WRITING_ACTIONS = new Set<string>();

/** The actions of `POST /<resource>?action=<name>`, as the modules contribute them. */
export class ActionTable {
  private readonly byName = new Map<string, ServedAction>();

  /** @throws Error when two groups claim one name: start-up is refused then. */
  constructor(
    private readonly resource: Resource,
    groups: Iterable<Actions>,
  ) {
    for (const { actions } of groups) {
      for (const action of actions) {
        if (action.route.resource !== resource) continue;
        const name = action.route.action;
        if (this.byName.has(name)) throw new Error(`two modules answer POST /${resource}?action=${name}`);
        this.byName.set(name, action);
        if (action.route.needs === 'write') WRITING_ACTIONS.add(`/${resource}?action=${name}`);
      }
    }
  }

  /**
   * Runs an action. Its result goes under `value`; an action without a result makes an empty answer.
   * @param query of the request: the name of the action, and nothing else
   * @param headers of the request: the version of the protocol, and conditions, which no write ignores
   */
  async call(
    principal: Principal,
    query: Readonly<Record<string, unknown>>,
    body: unknown,
    headers: HttpHeaders = {},
  ): Promise<{ value: unknown } | undefined> {
    const name = query['action'];
    const action = typeof name === 'string' ? this.byName.get(name) : undefined;
    if (action === undefined) {
      const asked =
        typeof name === 'string'
          ? `unknown action "${name}"`
          : 'the query parameter "action" must be given once';
      throw refuse(
        'ACTION_UNKNOWN',
        `${asked}; POST /${this.resource} knows ${this.names().join(', ')}`,
        '/action',
      );
    }
    if (action.route.protocolVersion === true) requireProtocolVersion(headers[PROTOCOL_VERSION_HEADER]);
    Parameters.of(query, ['action']);
    const { needs = 'read', conditions = false } = action.route;
    if (needs !== 'read') {
      refuseIdempotencyKey(headers);
      if (!conditions) refuseConditions(headers, `${action.route.action} has no conditions`);
    }
    const value = await action.run(principal, body, headers);
    return value === undefined ? undefined : { value };
  }

  names(): string[] {
    return [...this.byName.keys()].sort();
  }
}
