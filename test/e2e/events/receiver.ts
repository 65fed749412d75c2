import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivery {
  headers: Record<string, string>;
  text: string;
  body: any;
}

/** A service that webhooks are delivered to. */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  /** Status of the next answers. */
  status = 204;
  /** Headers of the next answers. */
  headers: Record<string, string> = {};

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const headers = request.headers as Record<string, string>;
        receiver.deliveries.push({ headers, text, body: JSON.parse(text) });
        response.writeHead(receiver.status, receiver.headers).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
  }

  /** The entities of the events that were delivered, in order. */
  get urns(): string[] {
    return this.deliveries.flatMap(({ body }) =>
      body.events.map(
        ({ value }: { value: string }) => JSON.parse(JSON.parse(value).payload.value).entityUrn,
      ),
    );
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
