import { parentPort } from 'node:worker_threads';
import { LineSeal, type Part } from './line-seal.js';

/** Seals the parts that it is sent, in their order, and sends them back, each with the checksum of all where it is asked for. */
const seal = new LineSeal();

parentPort!.on('message', (message: { bytes: Uint8Array<ArrayBuffer>; ends: Part['ends']; sum: boolean }) => {
  const { bytes, ends, sum } = message;
  seal.seal({ bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), ends });
  parentPort!.postMessage({ bytes, sha256: sum ? seal.sha256() : undefined }, [bytes.buffer]);
});
