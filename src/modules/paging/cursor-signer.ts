import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { ServiceSecrets } from './service-secret.repository.js';

const MAC_BYTES = 16;

/**
 * Makes the scroll ids that clients get: where the next page begins, signed with a key that all processes of the
 * catalog share, and bound to the list that it belongs to.
 */
@Injectable()
export class CursorSigner {
  private key: Promise<Buffer> | undefined;

  constructor(private readonly secrets: ServiceSecrets) {}

  /** @param list everything that must be the same on the next page: what is listed, in which order. */
  async sign(list: string, place: string): Promise<string> {
    const payload = Buffer.from(place);
    return Buffer.concat([await this.mac(list, payload), payload]).toString('base64url');
  }

  /** @throws CatalogError PARAMETER_INVALID for a text that {@link sign} did not make for this list */
  async verify(list: string, scrollId: string, pointer = '/scrollId'): Promise<string> {
    const bytes = Buffer.from(scrollId, 'base64url');
    const payload = bytes.subarray(MAC_BYTES);
    const canonical = bytes.toString('base64url') === scrollId;
    if (
      bytes.length > MAC_BYTES &&
      canonical &&
      timingSafeEqual(bytes.subarray(0, MAC_BYTES), await this.mac(list, payload))
    )
      return payload.toString();
    const message = 'the scroll id was not issued for this list with these parameters';
    throw refuse('PARAMETER_INVALID', message, pointer);
  }

  private async mac(list: string, payload: Buffer): Promise<Buffer> {
    this.key ??= this.secrets.get('cursor');
    let key: Buffer;
    try {
      key = await this.key;
    } catch (error) {
      this.key = undefined;
      throw error;
    }
    return createHmac('sha256', key)
      .update(list)
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}
