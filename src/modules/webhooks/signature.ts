import { createHmac, randomBytes } from 'node:crypto';

/** What a secret begins with. Source: Standard Webhooks. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The headers of a delivery as Standard Webhooks has them: HMAC-SHA256 over id, time and body, by each of the secrets.
 * @param time epoch milliseconds
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  time: number,
  body: string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(time / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
