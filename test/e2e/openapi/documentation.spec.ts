import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { importSample } from '../../harness/sample.js';
import { ROOT } from '../../harness/service-process.js';

const run = promisify(execFile);
const page = readFileSync(join(ROOT, 'docs', 'openapi.md'), 'utf8');

/** The commands of the page in their order, each with the answer that is printed after it, if any. */
const commands = [...page.matchAll(/```sh\n(.+?)```(?:\s*```json\n(.+?)```)?/gs)].map(
  ([, command = '', answer], index) => ({
    index: index + 1,
    command,
    title: command
      .split('\n')[0]!
      .replace(/^curl /, '')
      .slice(0, 120),
    answer: answer === undefined ? undefined : (JSON.parse(answer) as object),
  }),
);

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await importSample(catalog);
});
afterAll(() => catalog.stop());

/** What a command prints in a shell. */
async function printed(command: string): Promise<string> {
  const { stdout } = await run('bash', ['-c', command], {
    env: { ...process.env, CATALOG_URL: catalog.url, CATALOG_TOKEN: ADMIN_TOKEN, no_proxy: '*' },
  });
  return stdout;
}

describe('the commands in docs/openapi.md', () => {
  it('are all found', () => {
    expect(commands.length).toBe(page.split('```sh\n').length - 1);
    expect(commands.length).toBeGreaterThan(15);
  });

  it.each(commands)('$index: $title', async ({ command, answer }) => {
    const stdout = await printed(command);
    if (answer === undefined) expect(stdout).toBe('');
    else expect(JSON.parse(stdout)).toMatchObject(answer);
  });
});

describe('the commands in /restli/docs', () => {
  it('are not loaded again by a browser that has them', async () => {
    const first = await catalog.get('/restli/docs', { headers: { accept: 'text/html' } });
    const known = { accept: 'text/html', 'if-none-match': first.headers.get('etag')! };
    const { status, text, headers } = await catalog.get('/restli/docs', { headers: known });
    expect([status, text, headers.get('etag')]).toEqual([304, '', first.headers.get('etag')]);
    const other = { ...known, 'if-none-match': '"another"' };
    expect((await catalog.get('/restli/docs', { headers: other })).text).toBe(first.text);
  });

  it.each([
    ['aspects?action=ingestProposal"', { value: expect.stringContaining('brew.marts.orders') }],
    ['entities?action=search"', { value: { entities: expect.any(Array) } }],
    ['entitiesV2/', { urn: expect.stringContaining('brew.marts.orders') }],
  ])('%s', async (part, answer) => {
    const { text } = await catalog.get('/restli/docs', { headers: { accept: 'text/html' } });
    const commands = [...text.matchAll(/<pre tabindex="0">(.+?)<\/pre>/gs)].map(([, command = '']) =>
      command
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    );
    const command = commands.find((one) => one.includes(`"$CATALOG_URL/${part}`))!;
    expect(JSON.parse(await printed(command))).toMatchObject(answer);
  });
});
