import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

/** Where this process is in its life. */
@Injectable()
export class Readiness implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private current: 'starting' | 'started' | 'stopping' = 'starting';

  get state(): 'starting' | 'started' | 'stopping' {
    return this.current;
  }

  /** The server listens after the last of these hooks, so no client sees "started" too early. */
  onApplicationBootstrap(): void {
    this.current = 'started';
  }

  /** Before the server closes: load balancers look elsewhere while running requests finish. */
  beforeApplicationShutdown(): void {
    this.current = 'stopping';
  }
}
