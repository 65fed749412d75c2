import { parentPort } from 'node:worker_threads';
import { LineSeal } from './line-seal.js';

/** Seals the parts that it is sent, in their order, and sends them back, each with the checksum of all where it is asked for. */
const seal = new LineSeal();

parentPort!.on('message', ({ bytes, sum }: { bytes: Uint8Array<ArrayBuffer>; sum: boolean }) => {
  seal.seal(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  parentPort!.postMessage({ bytes, sha256: sum ? seal.sha256() : undefined }, [bytes.buffer]);
});
