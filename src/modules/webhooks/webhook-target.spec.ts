import { promises } from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

const lookup = jest.fn<() => Promise<{ address: string; family: number }>>();
// Before the module is loaded, which imports the function.
jest.spyOn(promises, 'lookup').mockImplementation(lookup);
const { deliver, isInternal } = await import('./webhook-target.js');

describe('addresses of this network', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
  ])('%s is one', (address) => expect(isInternal(address)).toBe(true));

  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    '%s is none',
    (address) => expect(isInternal(address)).toBe(false),
  );
});

describe('a name', () => {
  const reached: Array<string | undefined> = [];
  const server = http.createServer(({ headers }, response) => {
    reached.push(headers.host);
    response.end();
  });
  let url: string;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://hooks.example:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    reached.length = 0;
    lookup.mockReset();
  });

  it('is resolved once, and the connection goes to that address', async () => {
    lookup.mockResolvedValueOnce({ address: '127.0.0.1', family: 4 });
    lookup.mockRejectedValue(new Error('resolved again'));
    await deliver(url, '{}', {}, true, new AbortController().signal);
    expect(reached).toEqual([new URL(url).host]);
    expect(lookup).toHaveBeenCalledTimes(1);
  });

  it('that resolves to an internal address is not connected to', async () => {
    lookup.mockResolvedValue({ address: '127.0.0.1', family: 4 });
    await expect(deliver(url, '{}', {}, false, new AbortController().signal)).rejects.toThrow(
      'hooks.example is at 127.0.0.1, an internal address',
    );
    expect(reached).toEqual([]);
  });
});
