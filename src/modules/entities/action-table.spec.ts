import { describe, expect, it } from '@jest/globals';
import { READER } from '../../../test/harness/catalog-store.js';
import { ActionTable } from './action-table.js';
import { requireProtocolVersion } from './protocol-version.js';

const table = new ActionTable('things', [
  { actions: { echo: async (_, body) => body['x'] } },
  { actions: { nothing: async () => undefined } },
]);

describe('ActionTable', () => {
  it('answers under value, or with nothing', async () => {
    expect(await table.call(READER, 'echo', { x: 1 })).toEqual({ value: 1 });
    expect(await table.call(READER, 'echo', { x: null })).toEqual({ value: null });
    expect(await table.call(READER, 'nothing', {})).toBeUndefined();
  });

  it.each([undefined, 'ech', 'constructor', ['echo', 'echo']])(
    'lists what it knows when asked for %j',
    async (name) => {
      const call = table.call(READER, name, {});
      await expect(call).rejects.toMatchObject({
        code: 'ACTION_UNKNOWN',
        message: expect.stringContaining('echo, nothing'),
      });
    },
  );

  it.each([undefined, null, [], 'x'])('refuses the body %j', async (body) => {
    await expect(table.call(READER, 'echo', body)).rejects.toMatchObject({ code: 'PARAMETER_INVALID' });
  });

  it('refuses to start when two modules claim one name', () => {
    const group = { actions: { echo: async () => 1 } };
    expect(() => new ActionTable('things', [group, group])).toThrow(
      'two modules answer POST /things?action=echo',
    );
  });
});

describe('requireProtocolVersion', () => {
  it('accepts 2.0.0 only', () => {
    expect(() => requireProtocolVersion('2.0.0')).not.toThrow();
    for (const header of [undefined, '', '1.0.0', '2.0']) {
      expect(() => requireProtocolVersion(header)).toThrow(
        expect.objectContaining({ code: 'PROTOCOL_VERSION_MISSING' }),
      );
    }
  });
});
