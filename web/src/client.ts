import { QueryClient } from '@tanstack/react-query';
import { Refusal } from './api.js';

/** What was asked for and answered. Waiting repeats what failed for want of an answer, and nothing that was refused. */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      retry: (count, error) =>
        count < 2 && (!(error instanceof Refusal) || error.status === 0 || error.status >= 500),
    },
    mutations: { networkMode: 'always' },
  },
});
