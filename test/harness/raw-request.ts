import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: any;
}

/** A request written byte by byte: its parts are sent when the test says so, or never. */
export class RawRequest {
  private text = '';
  private ended = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (data: Buffer) => (this.text += data.toString('latin1')));
    socket.on('close', () => (this.ended = true));
    socket.on('error', () => undefined);
  }

  /** Connects, and sends what is given. */
  static async send(url: string, ...parts: Array<string | Uint8Array>): Promise<RawRequest> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const request = new RawRequest(socket);
    for (const part of parts) request.write(part);
    return request;
  }

  write(part: string | Uint8Array): void {
    this.socket.write(part);
  }

  /** What has been answered so far, as it came. */
  get received(): string {
    return this.text;
  }

  /** The next answer on this connection, with a Content-Length. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.taken();
      if (answer !== undefined) return answer;
      if (this.ended) throw new Error(`the connection ended after ${JSON.stringify(this.text)}`);
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]).catch(() => undefined);
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private taken(): RawAnswer | undefined {
    const end = this.text.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first = '', ...lines] = this.text.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    if (this.text.length < end + 4 + length) return undefined;
    const body = this.text.slice(end + 4, end + 4 + length);
    this.text = this.text.slice(end + 4 + length);
    return {
      status: Number(first.split(' ')[1]),
      headers,
      body: body.startsWith('{') ? (JSON.parse(body) as unknown) : body,
    };
  }
}

/** The head of a request; headers that are undefined are left out. */
export function head(
  method: string,
  path: string,
  headers: Record<string, string | number | undefined> = {},
) {
  const lines = Object.entries({ Host: 'catalog', ...headers })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** One chunk of a body whose length was not announced. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}
