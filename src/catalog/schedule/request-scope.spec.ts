import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { RequestScope } from './request-scope.js';

class Answer extends EventEmitter {
  destroyed = false;
  writableFinished = false;

  close(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

describe('the scope of a request', () => {
  it('is ended when nobody waits for the answer any longer', () => {
    const answer = new Answer();
    const { signal } = new RequestScope(answer);
    expect(signal.aborted).toBe(false);
    answer.close();
    expect(signal.aborted).toBe(true);
  });

  it('is not ended by an answer that was sent', () => {
    const answer = new Answer();
    const { signal } = new RequestScope(answer);
    answer.writableFinished = true;
    answer.close();
    expect(signal.aborted).toBe(false);
  });

  it('has ended for work that asks after that', () => {
    const answer = new Answer();
    const scope = new RequestScope(answer);
    answer.close();
    expect(scope.signal.aborted).toBe(true);
  });

  it('listens once however many ask, and not at all when nobody does', () => {
    const answer = new Answer();
    const scope = new RequestScope(answer);
    expect(answer.listenerCount('close')).toBe(0);
    expect(scope.signal).toBe(scope.signal);
    expect(answer.listenerCount('close')).toBe(1);
  });
});
