import { describe, expect, it } from '@jest/globals';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { currentRequest, inRequest, RequestScope } from '../catalog/schedule/index.js';
import { listText, textInParts } from './text-in-parts.js';

const LONG = 'x'.repeat(600_000);

async function* portionsOf(...portions: string[][]): AsyncGenerator<string[]> {
  yield* portions;
}

describe('the text of a list', () => {
  const textOf = (...portions: string[][]) => textInParts(listText('{"a":[', portionsOf(...portions), ']}'));

  it('has its elements one after the other', async () => {
    expect(await textOf()).toBe('{"a":[]}');
    expect(await textOf([], ['1'], [], ['2', '3'])).toBe('{"a":[1,2,3]}');
  });

  it('is a stream where it is long', async () => {
    const stream = await textOf(['"ü"'], [`"${LONG}"`], [`"${LONG}"`], ['1']);
    expect(stream).toBeInstanceOf(Readable);
    expect(await text(stream as Readable)).toBe(`{"a":["ü","${LONG}","${LONG}",1]}`);
  });
});

describe('a text in parts', () => {
  it('is made as it is taken, and no further than its reader goes', async () => {
    let [made, ended] = [0, false];
    async function* parts(): AsyncGenerator<string> {
      try {
        for (; made < 1000; made += 1) yield LONG;
      } finally {
        ended = true;
      }
    }
    const stream = (await textInParts(parts())) as Readable;
    await new Promise((resolve) => stream.once('readable', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBeLessThan(10);
    stream.destroy();
    await new Promise((resolve) => stream.once('close', () => setImmediate(resolve)));
    expect(ended).toBe(true);
  });

  it('refuses what fails at its beginning, and breaks off where it fails later', async () => {
    const lines: string[] = [];
    const complain = (line: string): void => void lines.push(line);
    async function* parts(before: number): AsyncGenerator<string> {
      for (let i = 0; i < before; i += 1) yield LONG;
      throw new Error('the database is unavailable');
    }
    await expect(textInParts(parts(1), complain)).rejects.toThrow('the database is unavailable');
    expect(lines).toEqual([]);
    await expect(text((await textInParts(parts(3), complain)) as Readable)).rejects.toThrow(
      'the database is unavailable',
    );
    expect(lines).toEqual(['an answer broke off: Error: the database is unavailable']);
  });

  it('is made for its request, whoever reads it', async () => {
    const reply = { destroyed: false, writableFinished: false, headersSent: false };
    const request = new RequestScope({ ...reply, once: () => undefined, setHeader: () => undefined });
    const seen = new Set<RequestScope | undefined>();
    async function* parts(): AsyncGenerator<string> {
      for (let i = 0; i < 6; i += 1) {
        seen.add(currentRequest());
        yield LONG;
        await new Promise((resolve) => setImmediate(resolve));
        seen.add(currentRequest());
      }
    }
    const stream = await inRequest(request, () => textInParts(parts()));
    await text(stream as Readable);
    expect([...seen]).toEqual([request]);
  });
});
