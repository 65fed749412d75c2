import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SignIn } from '../../playground/sign-in.js';
import { read } from './api.js';

/** The library comes where there is a provider. */
const library = () => import('../../playground/sign-in.js');

/** How people sign in at a provider; null where they cannot. */
async function settingsOf(signal: AbortSignal): Promise<SignIn | null> {
  return (await read<{ signIn?: SignIn }>('config', signal)).signIn ?? null;
}

/** A button that leads to the identity provider, and what came of it. */
export function ProviderSignIn({ onToken }: { onToken: (token: string) => void }) {
  const [failure, setFailure] = useState<string>();
  const [leaving, setLeaving] = useState(false);
  const { data: settings } = useQuery({
    queryKey: ['provider'],
    queryFn: ({ signal }) => settingsOf(signal),
    staleTime: Infinity,
  });
  const cameBack = new URLSearchParams(location.search).has('state');
  const { data: token, error } = useQuery({
    queryKey: ['provider', 'token'],
    queryFn: async () => {
      const { finish, reasonOf } = await library();
      return finish(settings!).then(
        (found) => found ?? null,
        (refused: unknown) => Promise.reject(new Error(reasonOf(refused))),
      );
    },
    enabled: Boolean(settings) && cameBack,
    // A code is of no use a second time.
    retry: false,
    staleTime: Infinity,
  });
  useEffect(() => {
    if (typeof token === 'string') onToken(token);
  }, [token]);
  const begin = async (to: SignIn) => {
    setFailure(undefined);
    setLeaving(true);
    const page = await library();
    await page.begin(to).catch((refused: unknown) => {
      setFailure(page.reasonOf(refused));
      setLeaving(false);
    });
  };
  if (!settings) return null;
  const said = failure ?? error?.message;
  return (
    <section aria-label="With the identity provider" className="provider" aria-busy={leaving}>
      <button className="main" onClick={() => void begin(settings)}>
        {`Sign in at ${new URL(settings.issuer).host}`}
      </button>
      {said !== undefined && (
        <p role="alert" className="problem">
          Signing in failed: {said}
        </p>
      )}
    </section>
  );
}
