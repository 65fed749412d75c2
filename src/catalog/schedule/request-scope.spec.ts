import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { CatalogError } from '../errors/index.js';
import { RequestScope } from './request-scope.js';

class Answer extends EventEmitter {
  destroyed = false;
  writableFinished = false;
  headersSent = false;
  headers: Record<string, readonly string[]> = {};

  setHeader(name: string, value: readonly string[]): void {
    this.headers[name] = value;
  }

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

  it('is ended with a reason, which work under way and later work learn', () => {
    const scope = new RequestScope(new Answer());
    const reason = new CatalogError('DEADLINE_EXCEEDED', 'too late');
    const stopped: unknown[] = [];
    const takeBack = scope.onEnd((why) => stopped.push(['finished', why]));
    scope.onEnd((why) => stopped.push(['under way', why]));
    takeBack();
    const { signal } = scope;
    expect(() => scope.throwIfEnded()).not.toThrow();
    scope.end(reason);
    scope.end(new CatalogError('INTERNAL', 'again'));
    expect(signal.reason).toBe(reason);
    expect(stopped).toEqual([['under way', reason]]);
    expect(() => scope.throwIfEnded()).toThrow(reason);
    const asksLater = new RequestScope(new Answer());
    asksLater.end(reason);
    expect(asksLater.signal.reason).toBe(reason);
  });

  it('tells each warning once, in headers that any text can stand in, and not more than ten', () => {
    const answer = new Answer();
    const scope = new RequestScope(answer);
    for (const message of ['no "ä"\r\n', 'no "ä"\r\n', 'other']) scope.warn(message);
    expect(scope.warnings).toEqual(['no "ä"\r\n', 'other']);
    expect(answer.headers).toEqual({
      warning: ['299 - "no \\"\\u00e4\\"\\r\\n"', '299 - "other"'],
    });
    for (let i = 0; i < 20; i++) scope.warn(String(i));
    expect(scope.warnings).toHaveLength(10);
    expect(answer.headers['warning']).toHaveLength(10);
    const long = new Answer();
    new RequestScope(long).warn('ä'.repeat(5000));
    expect(String(long.headers['warning']).length).toBeLessThan(700);
    const late = Object.assign(new Answer(), { headersSent: true });
    new RequestScope(late).warn('late');
    expect(late.headers).toEqual({});
  });

  it('refuses nothing once the request was carried out', () => {
    const scope = new RequestScope(new Answer());
    scope.end(new CatalogError('DEADLINE_EXCEEDED', 'too late'));
    scope.served();
    expect(() => scope.throwIfEnded()).not.toThrow();
    const other = new RequestScope(new Answer());
    other.served();
    other.end(new CatalogError('DEADLINE_EXCEEDED', 'too late'));
    expect(other.signal.aborted).toBe(false);
  });
});
