import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { BodyTurns } from './body-turns.js';

/** What is known here of a response: whether it was sent, or its connection has ended. */
class Response extends EventEmitter {
  closed = false;

  end(): void {
    this.closed = true;
    this.emit('close');
  }
}

describe('large bodies', () => {
  let turns: BodyTurns;
  let begun: string[];
  beforeEach(() => {
    turns = new BodyTurns(100);
    begun = [];
  });
  const enter = (name: string, bytes: number): Response => {
    const response = new Response();
    turns.enter(bytes, response as unknown as ServerResponse, () => begun.push(name));
    return response;
  };

  it('are carried out together as far as they fit, the others in their order as room comes', () => {
    const a = enter('a', 60);
    const b = enter('b', 40);
    enter('c', 50);
    const d = enter('d', 10);
    expect(begun).toEqual(['a', 'b']);
    b.end();
    // d would fit, but c was there before it.
    expect(begun).toEqual(['a', 'b']);
    a.end();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    d.end();
    enter('e', 50);
    expect(begun.at(-1)).toBe('e');
  });

  it('are carried out alone where they are larger than what fits', () => {
    const a = enter('a', 300);
    enter('b', 1);
    expect(begun).toEqual(['a']);
    a.end();
    expect(begun).toEqual(['a', 'b']);
  });

  it('are forgotten when their connections end while they wait', () => {
    const a = enter('a', 100);
    const b = enter('b', 100);
    const c = enter('c', 30);
    b.end();
    a.end();
    expect(begun).toEqual(['a', 'c']);
    c.end();
    const gone = new Response();
    gone.end();
    turns.enter(100, gone as unknown as ServerResponse, () => begun.push('gone'));
    enter('d', 100);
    expect(begun).toEqual(['a', 'c', 'd']);
  });

  it('let those behind one that has gone begin when they fit', () => {
    enter('a', 60);
    const b = enter('b', 60);
    enter('c', 40);
    expect(begun).toEqual(['a']);
    b.end();
    expect(begun).toEqual(['a', 'c']);
  });
});
