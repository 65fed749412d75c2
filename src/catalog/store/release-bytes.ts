/**
 * Gives the memory of long bytes back that nothing reads any more. The collector would find them later: each time some megabytes of
 * them have come together it looks through the whole heap, which takes longer than to make and to send them.
 */
export function releaseBytes(bytes: Uint8Array<ArrayBuffer>): void {
  // Short buffers share the memory of a pool, of which none has half.
  if (2 * bytes.byteLength > bytes.buffer.byteLength) bytes.buffer.transfer(0);
}
