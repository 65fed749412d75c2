import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import type { Action } from '../../catalog/extension/aspect-actions.js';
import { Parameters } from '../../catalog/restli/index.js';

/** The actions of `POST /<resource>?action=<name>`, as the modules contribute them. */
export class ActionTable {
  private readonly byName = new Map<string, Action>();

  /** @throws Error when two groups claim one name: start-up is refused then. */
  constructor(
    private readonly resource: string,
    groups: Iterable<{ readonly actions: Readonly<Record<string, Action>> }>,
  ) {
    for (const { actions } of groups) {
      for (const [name, action] of Object.entries(actions)) {
        if (this.byName.has(name)) throw new Error(`two modules answer POST /${resource}?action=${name}`);
        this.byName.set(name, action);
      }
    }
  }

  /** Runs an action; its result goes under `value`, and no result makes an empty answer. */
  async call(principal: Principal, name: unknown, body: unknown): Promise<{ value: unknown } | undefined> {
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
    Parameters.of(body);
    const value = await action(principal, body as Record<string, unknown>);
    return value === undefined ? undefined : { value };
  }

  names(): string[] {
    return [...this.byName.keys()].sort();
  }
}
