import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LogDestination, type LogSink } from './log-destination.js';

/** A file with so much room, which fills up in the middle of a line. */
class Disk implements LogSink {
  text = '';
  passing = false;
  asked = 0;
  code = 'ENOSPC';

  constructor(public room: number) {}

  write(bytes: Buffer, done: (error: NodeJS.ErrnoException | null, bytes: number) => void): void {
    this.asked += 1;
    void Promise.resolve().then(() => {
      const count = this.take(bytes);
      if (count > 0) done(null, count);
      else done(Object.assign(new Error(this.code), { code: this.code }), 0);
    });
  }

  writeNow(bytes: Buffer): number {
    const count = this.take(bytes);
    if (count === 0) throw new Error(this.code);
    return count;
  }

  private take(bytes: Buffer): number {
    const count = Math.min(bytes.length, this.room);
    this.room -= count;
    this.text += bytes.subarray(0, count).toString();
    return count;
  }
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const settle = (ms = 0) => jest.advanceTimersByTimeAsync(ms);
const lines = (text: string) => text.split('\n').slice(0, -1);

describe('LogDestination', () => {
  it('writes lines in their order, those that wait together', async () => {
    const disk = new Disk(Infinity);
    const log = new LogDestination(disk);
    for (let i = 0; i < 100; i++) log.write(`line ${i}\n`);
    await settle();
    expect(lines(disk.text)).toEqual(Array.from({ length: 100 }, (_, i) => `line ${i}`));
    expect(disk.asked).toBe(2);
  });

  it.each(['ENOSPC', 'EPIPE', 'EAGAIN', 'EIO'])(
    'goes on inside a line that was written in part before %s, when there is room again',
    async (code) => {
      const disk = new Disk(9);
      disk.code = code;
      const log = new LogDestination(disk);
      log.write('first line\n');
      log.write('second line\n');
      await settle(60_000);
      expect(disk.text).toBe('first lin');
      expect(disk.asked).toBeLessThan(500);
      disk.room = Infinity;
      await settle(1_000);
      expect(disk.text).toBe('first line\nsecond line\n');
    },
  );

  it('drops and counts what finds no room, and says so in one line when there is room again', async () => {
    const disk = new Disk(5);
    const log = new LogDestination(disk);
    const counted: number[] = [];
    log.meter((value) => counted.push(value));
    const line = `${'x'.repeat(1023)}\n`;
    for (let i = 0; i < 3000; i++) {
      log.write(line);
      if (i % 100 === 0) await settle(10);
    }
    expect(log.dropped).toBeGreaterThan(1900);
    expect(counted).toHaveLength(log.dropped);
    disk.room = Infinity;
    await settle(10_000);
    log.write('after\n');
    await settle();
    const written = lines(disk.text);
    const told = written.filter((text) => text.startsWith('{'));
    expect(told.map((text) => JSON.parse(text) as unknown)).toEqual([
      expect.objectContaining({
        level: 'warn',
        dropped: log.dropped,
        msg: expect.stringContaining('ENOSPC'),
      }),
    ]);
    // Nothing else is missing, and no line is damaged.
    expect(written.filter((text) => text === 'x'.repeat(1023))).toHaveLength(3000 - log.dropped);
    expect(written.at(-1)).toBe('after');
  });

  it('waits for the last lines as long as it is told', async () => {
    const disk = new Disk(Infinity);
    const log = new LogDestination(disk);
    await log.flush(1_000);
    log.write('last\n');
    await log.flush(1_000);
    expect(disk.text).toBe('last\n');
    disk.room = 0;
    log.write('later\n');
    const flushed = log.flush(1_000);
    await settle(1_000);
    await flushed;
    expect(disk.text).toBe('last\n');
  });

  it('writes what it can at the end, once, and nothing past what is on its way', async () => {
    const disk = new Disk(3);
    const log = new LogDestination(disk);
    log.write('first\n');
    log.write('second\n');
    await settle();
    disk.room = 8;
    log.end();
    expect(disk.text).toBe('first\nsecon');
    const pipe = new Disk(Infinity);
    pipe.passing = true;
    const other = new LogDestination(pipe);
    pipe.write = () => undefined;
    other.write('on its way\n');
    other.write('behind\n');
    other.end();
    expect(pipe.text).toBe('');
  });
});
