import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Refusal } from './api.js';
import { router } from './router.js';
import './style.css';

/** Waiting repeats what failed for want of an answer, and nothing that was refused. */
const client = new QueryClient({
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

createRoot(document.getElementById('page')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
