/** Types of sign-in.js for the web application. */
export interface SignIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
}
export function begin(settings: SignIn): Promise<void>;
export function finish(settings: SignIn): Promise<string | undefined>;
export function reasonOf(error: unknown): string;
