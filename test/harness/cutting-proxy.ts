import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** What the proxy does with a packet of the client that holds the text it looks for. */
export type Cut =
  /** The server never sees it. */
  | 'before'
  /** The server carries it out, and its answer is lost. */
  | 'after'
  /** The server carries it out a while later, when the client has long lost its connection. */
  | 'late';

/** How the proxy treats everything that comes. */
export type Manner =
  | 'pass'
  /** Connections are taken and closed at once, as a load balancer without a server does. */
  | 'close'
  /** Connections are taken and kept, those of before too, and nothing comes through: the other side is gone. */
  | 'swallow'
  /** Everything comes through a moment later. */
  | 'delay';

const LATE_MS = 700;
const DELAY_MS = 150;

/** A way to a server that breaks at a word: once for each time it is armed. */
export class CuttingProxy {
  /** How often it has cut. */
  cuts = 0;
  /** How many connections it has ever taken. */
  taken = 0;
  private armed: { text: RegExp; how: Cut; close: boolean } | undefined;
  private port = 0;
  private manner: Manner = 'pass';
  private readonly sockets = new Set<Socket>();
  private readonly clients = new Set<Socket>();
  private readonly server: Server;
  private readonly target: { host: string; port: number };

  private constructor(server: Server, target: { host: string; port: number }) {
    this.server = server;
    this.target = target;
    server.on('connection', (client: Socket) => this.join(client));
  }

  static async to(url: string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    const proxy = new CuttingProxy(server, { host: hostname, port: Number(port) });
    await proxy.open();
    return proxy;
  }

  /** How many connections are open at this moment. */
  get connections(): number {
    return this.clients.size;
  }

  /** The address of `url`, by way of this proxy. */
  through(url: string): URL {
    const way = new URL(url);
    way.host = `127.0.0.1:${this.port}`;
    return way;
  }

  /** Cuts the next connection that sends a packet like `text`; with `close`, there is no other way from then on. */
  cutAt(text: RegExp, how: Cut, { close = false } = {}): void {
    this.armed = { text, how, close };
  }

  /** Treats everything like that from now on; what was swallowed is lost, so those connections end when it passes. */
  treat(manner: Manner): void {
    const breaks = manner === 'close' || this.manner === 'swallow';
    this.manner = manner;
    if (breaks) for (const socket of this.sockets) socket.destroy();
  }

  /** Treats connections that come from now on like that; the others stay as they are. */
  treatNew(manner: Manner): void {
    for (const socket of this.sockets) socket.removeAllListeners('data');
    this.manner = manner;
  }

  /** Breaks all connections, and takes no new ones until {@link open}. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  /** Listens, on the port of before. */
  async open(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    if (address !== null && typeof address !== 'string') this.port = address.port;
  }

  private join(client: Socket): void {
    this.taken += 1;
    if (this.manner === 'close') {
      client.on('error', () => undefined);
      client.destroy();
      return;
    }
    const server = connect(this.target);
    this.clients.add(client);
    client.on('close', () => this.clients.delete(client));
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    }
    client.on('data', (data) => {
      const { armed } = this;
      if (this.manner !== 'pass') return this.treated(server, data);
      if (armed === undefined || !armed.text.test(data.toString('latin1'))) return void server.write(data);
      this.armed = undefined;
      this.cuts += 1;
      if (armed.close) this.server.close();
      this.cut(client, server, data, armed.how);
    });
    server.on('data', (data) => this.treated(client, data));
    client.on('close', () => server.destroySoon());
    server.on('close', () => client.destroySoon());
  }

  private treated(to: Socket, data: Buffer): void {
    if (this.manner === 'swallow') return;
    if (this.manner === 'delay') setTimeout(() => to.write(data), DELAY_MS);
    else to.write(data);
  }

  private cut(client: Socket, server: Socket, data: Buffer, how: Cut): void {
    client.removeAllListeners('close');
    server.removeAllListeners('data');
    if (how === 'before') {
      client.destroy();
      server.destroy();
    } else if (how === 'after') {
      server.once('data', () => {
        client.destroy();
        server.destroy();
      });
      server.write(data);
    } else {
      client.destroy();
      server.once('data', () => server.destroy());
      setTimeout(() => server.write(data), LATE_MS);
    }
  }
}
