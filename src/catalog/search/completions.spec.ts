import { describe, expect, it } from '@jest/globals';
import { Completions, typedNode } from './completions.js';

const hit = (name: string, more: Record<string, Array<string | number>> = {}) => ({
  urn: `urn:li:tag:${name}`,
  entity: 'tag',
  fields: { name: [name], ...more },
});

function complete(text: string, hits: ReadonlyArray<ReturnType<typeof hit>>, limit = 10): string[] {
  const typed = typedNode(text);
  if (!typed) return [];
  const found = new Completions(typed, ['name', 'id']);
  for (const one of hits) found.offer(one);
  return found.best(limit).map((suggestion) => suggestion.text);
}

describe('completions', () => {
  it('are the text, then what begins with it, then what has its words', () => {
    const hits = ['new orders', 'orders_daily', 'orders', 'Orders', 'other'].map((name) => hit(name));
    expect(complete('orders', hits)).toEqual(['Orders', 'orders', 'orders_daily', 'new orders']);
    expect(complete('orders', hits, 1)).toHaveLength(1);
    expect(complete('dai', hits)).toEqual(['orders_daily']);
  });

  it('are the closest first, unless the entity counts less', () => {
    const short = hit('orders_x', { _standing: [0.3] });
    expect(complete('ord', [hit('orders_daily'), hit('orders')])).toEqual(['orders', 'orders_daily']);
    expect(complete('ord', [short, hit('orders_daily')])).toEqual(['orders_daily', 'orders_x']);
  });

  it('of one entity come in one spelling, that of the field that counts most', () => {
    const people = ['Maud Finch', 'Maud Gray'].map((name) =>
      hit(name, { id: [name.toLowerCase().replace(' ', '.')] }),
    );
    expect(complete('maud', people)).toEqual(['Maud Gray', 'Maud Finch']);
    expect(complete('maud', people, 1)).toEqual(['Maud Gray']);
    expect(complete('maud.finch', people)).toEqual(['Maud Finch']);
  });

  it('are counted by entity, also when a text goes over to another one', () => {
    const found = new Completions(typedNode('ord')!, ['name', 'id']);
    found.offer(hit('one', { name: ['Orders 1'], id: ['orders_1'], _standing: [0.5] }));
    expect(found.size).toBe(1);
    found.offer(hit('two', { name: ['orders_1'] }));
    expect(found.size).toBe(2);
    expect(found.best(10).map(({ text, urn }) => [text, urn])).toEqual([
      ['orders_1', 'urn:li:tag:two'],
      ['Orders 1', 'urn:li:tag:one'],
    ]);
  });

  it('name all that share a text, the one that counts most first', () => {
    const found = new Completions(typedNode('orders')!, ['name', 'id']);
    const offer = (urn: string, standing: number, name = 'orders') =>
      found.offer({ urn, entity: 'dataset', fields: { name: [name], _standing: [standing] } });
    offer('b', 1);
    offer('a', 1);
    offer('best', 2);
    offer('other', 2, 'orders_daily');
    offer('a', 1);
    expect(found.best(10).map(({ text, urn, others }) => [text, urn, ...others])).toEqual([
      ['orders', 'best', 'a', 'b'],
      ['orders_daily', 'other'],
    ]);
  });

  it('of nothing are none', () => {
    expect(['', ' ', '...'].map((text) => complete(text, [hit('orders')]))).toEqual([[], [], []]);
  });
});
