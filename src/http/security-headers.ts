import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/**
 * The security headers of every answer, as `helmet` makes them. They are made once: made for each request, they would cost more than
 * all else that is done before it is routed. An answer of the API loads nothing and is shown nowhere; pages say what they load
 * themselves. `Strict-Transport-Security` is for the proxy that ends TLS.
 */
export function securityHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  const add = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  add({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return headers;
}
