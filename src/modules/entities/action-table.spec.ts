import { describe, expect, it } from '@jest/globals';
import { READER } from '../../../test/harness/catalog-store.js';
import { action, ignored, serve } from '../../catalog/route/index.js';
import { ActionTable } from './action-table.js';
import { requireProtocolVersion } from './protocol-version.js';

const about = { resource: 'runs', summary: 'Does it', answer: 'it', example: {} } as const;
const echo = serve(
  action({ ...about, action: 'echo', parameters: { x: ignored('anything') } }),
  (_, { x = null }) => x,
);
const nothing = serve(action({ ...about, action: 'nothing', parameters: {} }), () => undefined);
const other = serve(action({ ...about, resource: 'aspects', action: 'other', parameters: {} }), () => 1);
const table = new ActionTable('runs', [{ actions: [echo, other] }, { actions: [nothing] }]);

describe('ActionTable', () => {
  it('answers under value, or with nothing', async () => {
    expect(await table.call(READER, { action: 'echo' }, { x: 1 })).toEqual({ value: 1 });
    expect(await table.call(READER, { action: 'echo' }, { x: null })).toEqual({ value: null });
    expect(await table.call(READER, { action: 'nothing' }, {})).toBeUndefined();
  });

  it.each([undefined, 'ech', 'other', 'constructor', ['echo', 'echo']])(
    'lists what it knows when asked for %j',
    async (name) => {
      const call = table.call(READER, { action: name }, {});
      await expect(call).rejects.toMatchObject({
        code: 'ACTION_UNKNOWN',
        message: expect.stringContaining('echo, nothing'),
      });
    },
  );

  it('takes nothing beside the name in the query', async () => {
    await expect(table.call(READER, { action: 'echo', x: '1' }, {})).rejects.toMatchObject({
      code: 'PARAMETER_INVALID',
      errors: [{ pointer: '/x' }],
    });
  });

  it.each([undefined, null, [], 'x'])('refuses the body %j', async (body) => {
    await expect(table.call(READER, { action: 'echo' }, body)).rejects.toMatchObject({
      code: 'PARAMETER_INVALID',
    });
  });

  it('refuses to start when two modules claim one name', () => {
    const group = { actions: [echo] };
    expect(() => new ActionTable('runs', [group, group])).toThrow(
      'two modules answer POST /runs?action=echo',
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
