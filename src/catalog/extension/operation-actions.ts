import type { Action } from './aspect-actions.js';

/** Extension point: actions of `POST /operations`. Found at boot; start-up is refused when a name is taken twice. */
export abstract class OperationActions {
  abstract readonly actions: Readonly<Record<string, Action>>;
}
