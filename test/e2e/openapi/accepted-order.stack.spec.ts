import { expect, it } from '@jest/globals';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { dataset } from '../aspect-api/support.js';
import { define, holds, setting, shown } from '../structured-properties/support.js';
import { settled } from './support.js';

it('accepted writes are judged by what those before them left, behind a rejected one as well', async () => {
  // Accepted while nothing carries them out, they come together.
  const accepting = await TestCatalog.start({ CATALOG_ROLE: 'api' });
  const toggled = await define(accepting, 'later.toggled', 'string');
  const accepted: Answer[] = [];
  const send = async (entity: string, item: object): Promise<void> => {
    accepted.push(await accepting.post(`/openapi/v3/entity/${entity}?async=true`, [item]));
  };
  const removed = (is: boolean) => ({ value: { removed: is } });
  for (let i = 0; i < 3; i += 1) {
    const [none, made] = [dataset(`later.none${i}`), dataset(`later.made${i}`)];
    await send('dataset', { urn: none, status: removed(true) });
    await send('dataset', { urn: made, datasetProperties: { value: { name: 'made' } } });
    await send('dataset', { urn: made, structuredProperties: { value: setting(holds(toggled, 'a')) } });
    await send('structuredProperty', { urn: toggled, status: removed(true) });
    await send('dataset', { urn: made, structuredProperties: { value: setting(holds(toggled, 'b')) } });
    await send('structuredProperty', { urn: toggled, status: removed(false) });
  }
  await accepting.stop({ keepHome: true });
  const catalog = await TestCatalog.start({}, accepting.home);
  try {
    const states = [];
    for (const answer of accepted) states.push((await settled(catalog, answer)).state);
    const [COMMITTED, REJECTED] = ['COMMITTED', 'REJECTED'];
    const each = [REJECTED, COMMITTED, COMMITTED, COMMITTED, REJECTED, COMMITTED];
    expect(states).toEqual([...each, ...each, ...each]);
    expect(await shown(catalog, dataset('later.made2'))).toEqual({ 'later.toggled': ['a'] });
  } finally {
    await catalog.stop();
  }
});
