/** JSON that has been made already, as the bytes of its text one after the other. */
export class JsonText {
  constructor(private readonly pieces: readonly Uint8Array[]) {}

  /** One answer with the text in it. */
  between(before: string, after: string): Buffer<ArrayBuffer> {
    return Buffer.concat([Buffer.from(before), ...this.pieces, Buffer.from(after)]);
  }
}
