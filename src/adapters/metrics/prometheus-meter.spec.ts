import { describe, expect, it } from '@jest/globals';
import { PrometheusMeter } from './prometheus-meter.js';

const text = async (meter: PrometheusMeter) => (await meter.exposition()).text;

describe('PrometheusMeter', () => {
  it('shows what was noted before anybody looked, and what the process needs', async () => {
    const meter = new PrometheusMeter();
    const count = meter.counter({ name: 'catalog_things_total', help: 'Things', labels: ['kind'] });
    count(1, { kind: 'a' });
    count(2, { kind: 'a' });
    count(1, { kind: 'say "b"\\\n' });
    const { mediaType, text: shown } = await meter.exposition();
    expect(mediaType).toContain('text/plain');
    expect(shown).toContain('# HELP catalog_things_total Things\n# TYPE catalog_things_total counter\n');
    expect(shown).toContain('\ncatalog_things_total{kind="a"} 3\n');
    expect(shown).toContain('\ncatalog_things_total{kind="say \\"b\\"\\\\\\n"} 1\n');
    expect(shown).toMatch(/^process_resident_memory_bytes \d+/m);
  });

  it('shows a counter without labels before its first count', async () => {
    const meter = new PrometheusMeter();
    meter.counter({ name: 'catalog_refusals_total', help: 'Refusals' });
    expect(await text(meter)).toContain('\ncatalog_refusals_total 0\n');
  });

  it('counts the values of a histogram up to each bound', async () => {
    const meter = new PrometheusMeter();
    const note = meter.histogram({ name: 'catalog_wait_seconds', help: 'Wait', labels: ['route'] }, [0.5, 1]);
    for (const value of [0.25, 0.5, 0.75, 4]) note(value, { route: '/a' });
    expect(await text(meter)).toContain(
      [
        '# TYPE catalog_wait_seconds histogram',
        'catalog_wait_seconds_bucket{le="0.5",route="/a"} 2',
        'catalog_wait_seconds_bucket{le="1",route="/a"} 3',
        'catalog_wait_seconds_bucket{le="+Inf",route="/a"} 4',
        'catalog_wait_seconds_sum{route="/a"} 5.5',
        'catalog_wait_seconds_count{route="/a"} 4',
      ].join('\n'),
    );
  });

  it('reads gauges when somebody looks, and leaves out those that cannot be read', async () => {
    const meter = new PrometheusMeter();
    let value = 1;
    meter.gauge({ name: 'catalog_lag_changes', help: 'Lag' }, async () => [{ value }]);
    meter.gauge({ name: 'catalog_broken_changes', help: 'Broken' }, () => Promise.reject(new Error('away')));
    await text(meter);
    value = 7;
    const shown = await text(meter);
    expect(shown).toContain('\ncatalog_lag_changes 7\n');
    expect(shown).not.toMatch(/^catalog_broken_changes/m);
  });

  it('refuses two metrics of one name', () => {
    const meter = new PrometheusMeter();
    meter.counter({ name: 'catalog_things_total', help: 'Things' });
    expect(() => meter.counter({ name: 'catalog_things_total', help: 'Others' })).toThrow('two metrics');
  });
});
