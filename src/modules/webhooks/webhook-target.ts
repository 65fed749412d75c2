import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { refuse } from '../../catalog/errors/index.js';

/** How long a delivery may take, and what is read of its answer for the message of an error. */
const TIMEOUT_MS = 15_000;
const ANSWER_BYTES = 500;

/** Addresses of this machine, of private networks, and of those that no service has. Source: IANA special-purpose registries. */
const INTERNAL = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  INTERNAL.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  INTERNAL.addSubnet(network, prefix, 'ipv6');

/** Whether an address is one that only this network reaches. */
export function isInternal(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isInternal(mapped);
  return INTERNAL.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** @throws CatalogError PARAMETER_INVALID for what is no address of a service, or an internal one */
export function checkTarget(text: string, internalAllowed: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw refuse('PARAMETER_INVALID', 'the URL must be of http or https, without a user', '/url');
  const host = hostOf(url);
  if (!internalAllowed && (host === 'localhost' || (isIP(host) > 0 && isInternal(host))))
    throw refuse('PARAMETER_INVALID', `${host} is an internal address, see CATALOG_WEBHOOK_INTERNAL`, '/url');
}

/**
 * Sends a body to an endpoint. The name is resolved once, and the connection goes to that address; redirects are not
 * followed.
 * @param stopping ends it in the middle
 * @throws Error what went wrong, for the one who looks after the webhook
 */
export async function deliver(
  target: string,
  body: string,
  headers: Record<string, string>,
  internalAllowed: boolean,
  stopping: AbortSignal,
): Promise<void> {
  const url = new URL(target);
  const host = hostOf(url);
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), stopping]);
  const { address, family } = await unlessAborted(signal, lookup(host));
  if (!internalAllowed && isInternal(address))
    throw new Error(`${host} is at ${address}, an internal address, see CATALOG_WEBHOOK_INTERNAL`);
  const pinned: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  const { status, text } = await post(url, body, headers, pinned, signal);
  if (status >= 200 && status < 300) return;
  throw new Error(`answered ${status}${text === '' ? '' : `: ${text}`}`);
}

function post(
  url: URL,
  body: string,
  headers: Record<string, string>,
  lookupPinned: LookupFunction,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      lookup: lookupPinned,
      signal,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'metadata-catalog-webhooks',
      },
    });
    sent.on('error', (error: Error) => reject(error.name === 'AbortError' ? late() : error));
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('error', reject);
      answer.on('data', (chunk: string) => (text = (text + chunk).slice(0, ANSWER_BYTES)));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.end(body);
  });
}

/** A name that no server answers for is given up by the system late. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(late()), { once: true });
    work.then(resolve, reject);
  });
}

const late = (): Error => new Error(`no answer within ${TIMEOUT_MS / 1000} s`);

/** Without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
