/** An answer that is JSON already, made part by part. */
export class JsonText {
  constructor(readonly parts: AsyncGenerator<string>) {}
}
