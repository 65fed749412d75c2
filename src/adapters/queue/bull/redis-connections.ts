import { Redis, type RedisOptions } from 'ioredis';
import { ConnectionWatch, WATCH_TIMING, type WatchTiming } from './connection-watch.js';

/** The longest pause between two tries to reach Redis: it shall be found soon after it returns. */
const LONGEST_PAUSE_MS = 1000;
const CONNECT_MS = 5000;
/** A server that holds the connection and says nothing is unavailable, too. */
const COMMAND_MS = 10_000;
/** How long a connection may take to say good-bye. */
const QUIT_MS = 250;

/** What a connection is for: commands, messages from the server, or commands that wait in it. */
type Purpose = 'client' | 'subscriber' | 'bclient';

/**
 * The connections to one Redis: commands and messages each go through one that all queues share; a queue that is
 * served has one more, which waits for jobs. All of them come back by themselves.
 */
export class RedisConnections {
  private readonly shared = new Map<Purpose, Redis>();
  private readonly all = new Map<Redis, Purpose>();
  private readonly watches: ConnectionWatch[] = [];
  private closed = false;

  /** @param failed told of every error, with the purpose of its connection */
  constructor(
    private readonly url: string,
    private readonly failed: (error: Error, purpose: Purpose) => void,
    private readonly watching: WatchTiming = WATCH_TIMING,
  ) {}

  get(purpose: Purpose): Redis {
    if (purpose === 'bclient') return this.open(purpose);
    let connection = this.shared.get(purpose);
    if (connection === undefined) this.shared.set(purpose, (connection = this.open(purpose)));
    return connection;
  }

  /** Resolves as soon as the server answers there; never, when the connections are closed before. */
  async ready(connection: Redis): Promise<void> {
    if (connection.status === 'ready') return;
    await new Promise<void>((resolve) => connection.once('ready', () => resolve()));
  }

  /** Ends the waiting in the connections of that purpose. */
  interrupt(purpose: Purpose): void {
    for (const [connection, its] of this.all) if (its === purpose) connection.disconnect();
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const watch of this.watches) watch.stop();
    await Promise.all([...this.all.keys()].map((connection) => quit(connection)));
  }

  private open(purpose: Purpose): Redis {
    const connection = new Redis(this.url, {
      ...optionsOf(purpose),
      retryStrategy: (times) => this.pause(times),
    });
    // Every queue listens to the connections that it shares.
    connection.setMaxListeners(0);
    connection.on('error', (error: Error) => this.failed(error, purpose));
    // Bull opens a connection anew while it closes a queue, and may not look at what becomes of that.
    const connect = connection.connect.bind(connection);
    connection.connect = () => connect().catch(() => undefined);
    connection.on('connect', () => {
      if (this.closed) connection.disconnect();
    });
    this.all.set(connection, purpose);
    const replaced = (reason: string) =>
      this.failed(new Error(`the connection is opened anew: ${reason}`), purpose);
    this.watches.push(new ConnectionWatch(connection, this.watching, replaced));
    return connection;
  }

  private pause(times: number): number | null {
    return this.closed ? null : Math.min(50 * 2 ** Math.min(times, 10), LONGEST_PAUSE_MS);
  }
}

function optionsOf(purpose: Purpose): RedisOptions {
  const common = {
    connectTimeout: CONNECT_MS,
    enableReadyCheck: false,
    // A connection that ends before that is answered would count as open for ever.
    disableClientInfo: true,
    // For this long a connection that has ended keeps the process from ending.
    disconnectTimeout: QUIT_MS,
  };
  // Commands fail soon when Redis is unavailable: the caller tries again, and none hangs.
  if (purpose === 'client') return { ...common, maxRetriesPerRequest: 1, commandTimeout: COMMAND_MS };
  return { ...common, maxRetriesPerRequest: null };
}

async function quit(connection: Redis): Promise<void> {
  if (connection.status === 'end') return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, QUIT_MS)));
  if (connection.status === 'ready') await Promise.race([connection.quit().catch(() => undefined), late]);
  clearTimeout(timer);
  connection.disconnect();
}
