import { createContext, use, useId, useRef, useState, type ReactNode } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, keepToken, logIn, logOut, Refusal, SERVICE, sessionActor, tokenOf } from './api.js';
import { MeDocument } from './generated.js';
import { ProviderSignIn } from './provider.js';

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
  const [failure, setFailure] = useState<Error>();
  const token = tokenOf();
  const actor = sessionActor();
  // A token counts before the session of the browser.
  const known = token !== null || actor !== null;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['me', token ?? actor],
    queryFn: ({ signal }) => ask(MeDocument, {}, { token, signal }),
    enabled: known,
    staleTime: Infinity,
  });
  const begin = () => {
    setFailure(undefined);
    client.clear();
    again();
  };
  const take = (value: string, remember: boolean) => {
    keepToken(value, remember);
    begin();
  };
  const signOut = () => void logOut().then(begin, setFailure);
  if (known && data)
    return (
      <SessionContext value={{ user: data.me?.corpUser?.username ?? 'somebody', signOut }}>
        {failure && (
          <p role="alert" className="problem stay">
            Still signed in: {failure.message} <button onClick={signOut}>Try again</button>
          </p>
        )}
        {children}
      </SessionContext>
    );
  if (known && isPending)
    return (
      <main className="sign-in">
        <p role="status">Signing in…</p>
      </main>
    );
  const down = error instanceof Refusal && error.status !== 401 && error.status !== 403;
  return (
    <main className="sign-in">
      <h1>Metadata catalog</h1>
      {known && error && (
        <p role="alert" className="problem">
          Refused: {error.message} {down && <button onClick={() => void refetch()}>Try again</button>}
        </p>
      )}
      <ProviderSignIn onToken={(value) => take(value, false)} />
      <PasswordForm onSession={begin} />
      <TokenForm onToken={take} />
      <p className="quiet">
        Elsewhere: <a href={SERVICE.href}>first page</a>,{' '}
        <a href={new URL('graphiql', SERVICE).href}>GraphQL playground</a>
      </p>
    </main>
  );
}

/** A user name and a password, for a session. */
function PasswordForm({ onSession }: { onSession: () => void }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const problem = useId();
  const send = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      await logIn(username.trim(), password);
      onSession();
    } catch (error) {
      const { status, message } = error as Refusal;
      // The service tells nobody which of the two is wrong.
      setRefused(status === 400 ? 'The user name or the password is wrong.' : message);
      setPassword('');
      field.current?.focus();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      aria-label="With a password"
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send();
      }}
    >
      <label htmlFor="user">User name</label>
      <input
        id="user"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={username}
        onChange={(event) => setUsername(event.target.value)}
      />
      <label htmlFor="password">Password</label>
      <div className="row">
        <input
          id="password"
          type="password"
          autoComplete="current-password"
          required
          ref={field}
          value={password}
          aria-invalid={refused !== undefined || undefined}
          aria-describedby={refused === undefined ? undefined : problem}
          onChange={(event) => setPassword(event.target.value)}
        />
        <button type="submit" className="main">
          Sign in
        </button>
      </div>
      {refused !== undefined && (
        <p id={problem} role="alert" className="problem">
          {refused}
        </p>
      )}
    </form>
  );
}

function TokenForm({ onToken }: { onToken: (token: string, remember: boolean) => void }) {
  const [typed, setTyped] = useState('');
  const [remember, setRemember] = useState(false);
  return (
    <form
      aria-label="With an access token"
      onSubmit={(event) => {
        event.preventDefault();
        // People copy the whole header.
        const token = typed.trim().replace(/^Bearer\s+/i, '');
        if (token !== '') onToken(token, remember);
      }}
    >
      <label htmlFor="token">Or an access token</label>
      <div className="row">
        <input
          id="token"
          type="password"
          autoComplete="off"
          required
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit">Use token</button>
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
