import { expect } from '@jest/globals';
import { ADMIN_TOKEN } from '../../harness/catalog.js';
import { parseEvent } from './feed-reader.js';

interface Sent {
  id?: string;
  event?: string;
  data?: string;
}

/** Reads Server-Sent Events, as far as the service writes them: fields of one line each. */
export class StreamReader {
  readonly sent: Sent[] = [];
  ended = false;
  private readonly connection = new AbortController();

  static async open(
    catalog: { readonly url: string },
    query: string,
    { token = ADMIN_TOKEN, lastEventId }: { token?: string; lastEventId?: string | undefined } = {},
  ): Promise<StreamReader> {
    const reader = new StreamReader();
    const response = await fetch(`${catalog.url}/openapi/v1/events/stream?${query}`, {
      signal: reader.connection.signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    void reader.read(response).catch(() => undefined);
    return reader;
  }

  close(): void {
    this.connection.abort();
  }

  get events(): any[] {
    return this.sent.flatMap(({ data }) => (data === undefined ? [] : [parseEvent(data)]));
  }

  get lastId(): string | undefined {
    return this.sent.findLast(({ id }) => id !== undefined)?.id;
  }

  private async read(response: Response): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() as string;
      for (const block of blocks) {
        const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)!.slice(1, 3));
        this.sent.push(Object.fromEntries(fields) as Sent);
      }
    }
    this.ended = true;
  }
}
