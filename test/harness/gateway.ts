import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut and restored, as a network or a restart would. */
export class Gateway {
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly target: URL,
    readonly port: number,
  ) {}

  /** Closed at first: nobody listens there. */
  static async to(target: URL): Promise<Gateway> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as { port: number };
    probe.close();
    await once(probe, 'close');
    return new Gateway(target, port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async open(): Promise<void> {
    this.server = createServer((inner) => {
      const outer = createConnection(Number(this.target.port || 80), this.target.hostname);
      for (const [one, other] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        this.sockets.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.sockets.delete(one);
          other.destroy();
        });
      }
    }).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Ends every connection and takes no more. */
  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(server, 'close');
  }
}
