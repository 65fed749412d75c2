import { parentPort } from 'node:worker_threads';
import { LineChecksums } from './line-checksums.js';

/** Fills in the checksums of the parts that it is sent, in their order, and sends them back, each with the checksum of all where it is asked for. */
const checksums = new LineChecksums();

parentPort!.on('message', ({ bytes, sum }: { bytes: Uint8Array<ArrayBuffer>; sum: boolean }) => {
  checksums.fill(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  parentPort!.postMessage({ bytes, sha256: sum ? checksums.sha256() : undefined }, [bytes.buffer]);
});
