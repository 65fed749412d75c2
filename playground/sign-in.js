/* global crypto, history, location, sessionStorage, URLSearchParams */
// Signs a person in at the identity provider of the catalog: authorization code with PKCE, for the pages that the service brings along.
import * as oauth from 'oauth4webapi';

/** What is to be compared when the provider sends the browser back; it lives as long as the tab. */
const PENDING_KEY = 'metadata-catalog:sign-in';

/**
 * How people sign in here: `{ issuer, clientId, scope }`; undefined where they cannot.
 * @param base address of the service
 */
export async function signInSettings(base) {
  const response = await fetch(new URL('config', base));
  return response.ok ? (await response.json()).signIn : undefined;
}

/** Sends the browser to the provider. It comes back to this page, where {@link finish} goes on. */
export async function begin(settings) {
  if (crypto.subtle === undefined) throw new Error('signing in needs a page with https, or on localhost');
  const server = await serverOf(settings);
  const pending = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    redirect: location.origin + location.pathname,
    hash: location.hash,
  };
  sessionStorage.setItem(PENDING_KEY, JSON.stringify(pending));
  const address = new URL(server.authorization_endpoint);
  address.search = new URLSearchParams([
    ...address.searchParams,
    ['client_id', settings.clientId],
    ['redirect_uri', pending.redirect],
    ['response_type', 'code'],
    ['scope', settings.scope],
    ['state', pending.state],
    ['code_challenge', await oauth.calculatePKCECodeChallenge(pending.verifier)],
    ['code_challenge_method', 'S256'],
  ]).toString();
  location.assign(address);
}

/** The token with which the provider sent the browser back; undefined when it did not. @throws Error when it refused */
export async function finish(settings) {
  const kept = sessionStorage.getItem(PENDING_KEY);
  const here = new URL(location.href);
  if (kept === null || !here.searchParams.has('state')) return undefined;
  sessionStorage.removeItem(PENDING_KEY);
  const { verifier, state, redirect, hash } = JSON.parse(kept);
  // The code is of no use a second time, and no part of an address that people share.
  history.replaceState(null, '', redirect + hash);
  const server = await serverOf(settings);
  const client = { client_id: settings.clientId };
  const parameters = oauth.validateAuthResponse(server, client, here, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirect,
    verifier,
    insecure(settings),
  );
  return (await oauth.processAuthorizationCodeResponse(server, client, response)).access_token;
}

/** What went wrong, in the words of the provider where it has some. */
export function reasonOf(error) {
  return error.error_description ?? error.error ?? error.message;
}

async function serverOf(settings) {
  const issuer = new URL(settings.issuer);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure(settings)));
}

/** The service takes an issuer without TLS on its own machine only. */
function insecure({ issuer }) {
  return { [oauth.allowInsecureRequests]: new URL(issuer).protocol === 'http:' };
}
