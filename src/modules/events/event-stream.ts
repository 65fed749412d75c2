import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Server-Sent Events on a response. Source: HTML standard, "Server-sent events". */
export class EventStream {
  private readonly closed = new AbortController();

  constructor(private readonly response: ServerResponse) {
    if (response.destroyed) this.closed.abort();
    response.once('close', () => this.closed.abort());
  }

  /** Aborted when the client has gone. */
  get signal(): AbortSignal {
    return this.closed.signal;
  }

  open(headers: Readonly<Record<string, number | string | string[] | undefined>>): void {
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) this.response.setHeader(name, value);
    this.response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies of the nginx kind would keep events until a buffer is full.
      'x-accel-buffering': 'no',
    });
    this.response.flushHeaders();
  }

  /** Sends one event; waits while the client does not read. */
  async send(event: string, data: string, id?: string): Promise<void> {
    await this.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
  }

  /** Tells the client where it is; it dispatches nothing, and proxies see that the connection is alive. */
  async sendPlace(id: string): Promise<void> {
    await this.write(`id: ${id}\n\n`);
  }

  end(): void {
    this.response.end();
  }

  private async write(text: string): Promise<void> {
    if (this.signal.aborted || this.response.write(text)) return;
    await once(this.response, 'drain', { signal: this.signal }).catch(() => undefined);
  }
}
