import type { Encoding } from '../../../http/encoding.js';

/** A document as it is sent. */
export interface CompressedDocument {
  /** Of the JSON text. */
  readonly digest: string;
  /** Of the JSON text, bytes. */
  readonly size: number;
  /** The codings that there are; gzip is among them. */
  readonly encodings: readonly Encoding[];
  bytes(encoding: Encoding): Promise<Buffer>;
}

/** What documents are made from: they differ when any of it does. */
export interface DocumentSource {
  /** Of the service. */
  readonly version: string;
  /** Of the model, see MODEL_DIGEST. */
  readonly model: string;
}
