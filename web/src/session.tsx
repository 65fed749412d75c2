import { createContext, use, useState, type ReactNode } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, forgetToken, keepToken, Refusal, SERVICE, tokenOf } from './api.js';
import { MeDocument } from './generated.js';

interface Session {
  /** The name of whoever is signed in. */
  readonly user: string;
  readonly signOut: () => void;
}

const SessionContext = createContext<Session>({ user: '', signOut: () => undefined });

export const useSession = (): Session => use(SessionContext);

/** Shows what is inside to those who are signed in, and the others how to do so. */
export function SignedIn({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [, setRound] = useState(0);
  const again = () => setRound((round) => round + 1);
  const token = tokenOf();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['me', token],
    // Without a token a service may answer as well: CATALOG_AUTH=off.
    queryFn: ({ signal }) => ask(MeDocument, {}, { token, signal }),
    enabled: token !== null,
    staleTime: Infinity,
  });
  const signOut = () => {
    forgetToken();
    client.clear();
    again();
  };
  if (token !== null && data)
    return (
      <SessionContext value={{ user: data.me?.corpUser?.username ?? 'somebody', signOut }}>
        {children}
      </SessionContext>
    );
  if (token !== null && isPending)
    return (
      <main className="sign-in">
        <p role="status">Signing in…</p>
      </main>
    );
  const down = error instanceof Refusal && error.status !== 401 && error.status !== 403;
  return (
    <main className="sign-in">
      <h1>Metadata catalog</h1>
      {error && (
        <p role="alert" className="problem">
          Refused: {error.message} {down && <button onClick={() => void refetch()}>Try again</button>}
        </p>
      )}
      <SignInForm
        onToken={(value, remember) => {
          keepToken(value, remember);
          client.clear();
          again();
        }}
      />
      <p className="quiet">
        Elsewhere: <a href={SERVICE.href}>first page</a>,{' '}
        <a href={new URL('graphiql', SERVICE).href}>GraphQL playground</a>
      </p>
    </main>
  );
}

function SignInForm({ onToken }: { onToken: (token: string, remember: boolean) => void }) {
  const [typed, setTyped] = useState('');
  const [remember, setRemember] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // People copy the whole header.
        const token = typed.trim().replace(/^Bearer\s+/i, '');
        if (token !== '') onToken(token, remember);
      }}
    >
      <label htmlFor="token">Access token</label>
      <div className="row">
        <input
          id="token"
          type="password"
          autoComplete="off"
          required
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit" className="main">
          Sign in
        </button>
      </div>
      <label className="check">
        <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
        Keep it in this browser, for the explorers too. Otherwise it is kept for this tab.
      </label>
      <p className="quiet">
        The first start of the service prints a token and keeps it in <code>.catalog/admin-token</code>.
      </p>
    </form>
  );
}
