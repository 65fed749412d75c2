import { Refusal } from './api.js';
import { useSession } from './session.js';

/** Whether what was asked cannot be read: the same again would be refused again. */
export const isMisspelt = (error: Error): boolean =>
  error instanceof Refusal && error.code === 'QUERY_SYNTAX';

/** What went wrong, and what to do about it. */
export function Problem({ error, retry }: { error: Error; retry?: () => unknown }) {
  const { signOut } = useSession();
  return (
    <p role="alert" className="problem">
      {error.message}{' '}
      {error instanceof Refusal && error.status === 401 ? (
        <button onClick={signOut}>Sign in again</button>
      ) : (
        retry && <button onClick={() => void retry()}>Try again</button>
      )}
    </p>
  );
}
