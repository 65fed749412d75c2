import { describe, expect, it } from '@jest/globals';
import { PortionSize } from './portion-size.js';

const KIBI = 1024;

describe('the size of portions', () => {
  it('begins small, and grows to the most where items are short', () => {
    const size = new PortionSize(1_000);
    expect(size.next).toBe(50);
    size.learn(50, 50 * 100);
    expect(size.next).toBe(1_000);
    size.learn(50, 0);
    expect(size.next).toBe(1_000);
  });

  it('is what comes to half a megabyte where they are long', () => {
    const size = new PortionSize(1_000);
    size.learn(50, 50 * 32 * KIBI);
    expect(size.next).toBe(16);
    size.learn(2, 2 * 4096 * KIBI);
    expect(size.next).toBe(1);
    size.learn(1, KIBI);
    expect(size.next).toBe(512);
  });

  it('stays where there was nothing to learn from', () => {
    const size = new PortionSize(20);
    size.learn(0, 0);
    expect(size.next).toBe(20);
  });
});
