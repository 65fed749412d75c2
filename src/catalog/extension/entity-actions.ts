import type { Principal } from '../auth/index.js';

/**
 * Extension point: actions of `POST /entities?action=<name>`. What an action resolves to is answered under `value`.
 * Found at boot; start-up is refused when a name is taken twice.
 */
export abstract class EntityActions {
  abstract readonly actions: Readonly<
    Record<string, (principal: Principal, body: Record<string, unknown>) => Promise<unknown>>
  >;
}
