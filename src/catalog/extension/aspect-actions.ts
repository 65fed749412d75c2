import type { Principal } from '../auth/index.js';

/**
 * One action of the aspect API, `POST /<resource>?action=<name>`: takes the JSON object of its parameters; what it
 * resolves to is answered under `value`, undefined as an empty body.
 */
export type Action = (principal: Principal, body: Record<string, unknown>) => Promise<unknown>;

/** Extension point: actions of `POST /aspects`. Found at boot; start-up is refused when a name is taken twice. */
export abstract class AspectActions {
  abstract readonly actions: Readonly<Record<string, Action>>;
}
