import type { Redis } from 'ioredis';

export interface WatchTiming {
  /** How often each connection is looked at. */
  lookMs: number;
  /** How long a connection may be silent while an answer is due: longer than one command waits in the server. */
  answerMs: number;
}

export const WATCH_TIMING: WatchTiming = { lookMs: 5_000, answerMs: 15_000 };

/** Beyond the time that the library gives a connection to end. */
const CLOSE_MS = 2_000;

/**
 * Replaces a connection that no longer works. Commands have time limits, but a command that exceeds its limit leaves
 * the connection as it is. A connection whose other side vanished never works again, nor does one that the library
 * takes for open although its socket is closed. Such a connection is opened anew; its holder keeps the object.
 */
export class ConnectionWatch {
  private readonly timer: NodeJS.Timeout;
  private asking = false;

  /** @param replaced told why, each time */
  constructor(
    private readonly connection: Redis,
    private readonly timing: WatchTiming,
    private readonly replaced: (reason: string) => void,
  ) {
    this.timer = setInterval(() => void this.look(), timing.lookMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const { stream, status } = this.connection;
    if (status !== 'ready' || this.asking) return;
    if (stream.destroyed) return this.openAnew('its socket is closed');
    this.asking = true;
    const answered = await this.answers();
    this.asking = false;
    // It may have broken and come back by itself meanwhile.
    if (answered || this.connection.stream !== stream || this.connection.status !== 'ready') return;
    this.replaced(`it has not answered for ${this.timing.answerMs / 1000} s`);
    this.connection.disconnect(true);
    setTimeout(() => {
      const { status: now } = this.connection;
      if (this.connection.stream === stream && now === 'ready') this.openAnew('its socket does not close');
    }, CLOSE_MS).unref();
  }

  /**
   * Whether the server answers. An error is an answer, and so is that to another command: several that wait in the
   * server may stand before the ping.
   */
  private async answers(): Promise<boolean> {
    const { stream } = this.connection;
    const received = stream.bytesRead;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(stream.bytesRead > received), this.timing.answerMs).unref();
    });
    const answer = this.connection.ping().then(
      () => true as const,
      (error: Error) => error.name === 'ReplyError',
    );
    const answered = await Promise.race([answer, late]);
    clearTimeout(timer);
    return answered;
  }

  /** The library would not: it takes the connection for open. */
  private openAnew(reason: string): void {
    this.replaced(reason);
    const connection = this.connection as unknown as { status: string; flushQueue: (error: Error) => void };
    connection.flushQueue(new Error(`the connection was replaced: ${reason}`));
    connection.status = 'end';
    void this.connection.connect().catch(() => undefined);
  }
}
