import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
/** Begins every sealed text; another cipher would get another number. */
const MARK = 'sealed:1:';

/** Whether a text was sealed by the service. */
export const isSealed = (text: string): boolean => text.startsWith(MARK);

/** A key out of what the configuration has. */
export const keyOf = (secret: string | Buffer): Buffer => createHash('sha256').update(secret).digest();

/** @param owner URN of the entity that the text belongs to: it cannot be opened as that of another */
export function seal(text: string, owner: string, key: Buffer): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return MARK + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Undefined when the text was sealed with another key or for another entity, or was changed. */
export function open(text: string, owner: string, key: Buffer): string | undefined {
  const bytes = Buffer.from(text.slice(MARK.length), 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE), { authTagLength: TAG })
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
