import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Turns } from './turns.js';

/** Longer than a slice. */
function work(): void {
  const end = performance.now() + 6;
  while (performance.now() < end);
}

describe('turns', () => {
  it('lets callers take turns, each piece by piece', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const caller = async (name: string) => {
      for (let piece = 1; piece <= 3; piece++) {
        await turns.turn();
        order.push(name + piece);
        work();
      }
    };
    await Promise.all(['a', 'b', 'c'].map(caller));
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3']);
  });

  it('serves sockets between the pieces', async () => {
    const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const turns = new Turns();
    let done = 0;
    const pieces = Array.from({ length: 50 }, async () => {
      await turns.turn();
      work();
      done++;
    });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('hello');
    await once(socket, 'data');
    const doneMeanwhile = done;
    socket.destroy();
    server.close();
    expect(doneMeanwhile).toBeLessThan(50);
    await Promise.all(pieces);
    expect(done).toBe(50);
  });

  it('does not wait for the event loop while nobody else does', async () => {
    const turns = new Turns();
    let round = 0;
    setImmediate(() => round++);
    await turns.turn();
    expect(round).toBe(0);
  });

  it('comes to rest, and begins again', async () => {
    const turns = new Turns();
    await turns.turn();
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).toMatchObject({ running: false });
    await turns.turn();
    expect(turns).toMatchObject({ running: true });
  });
});
