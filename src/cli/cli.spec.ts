import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { VARIABLES } from '../config/variables.js';
import { parseDuration } from './duration.js';
import { run } from './run.js';

let home: string;
const variables = [
  ...([
    'CATALOG_HOME',
    'CATALOG_TOKEN',
    'CATALOG_ADMIN_TOKEN',
    'CATALOG_URL',
    'PORT',
    'CATALOG_AUTH',
  ] as const),
];
const before = new Map(variables.map((name) => [name, process.env[name]]));

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cli-'));
  for (const name of variables) delete process.env[name];
  process.env['CATALOG_HOME'] = home;
});
afterEach(() => rm(home, { recursive: true }));
afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

async function catalog(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    interactive: false,
  };
  return { code: await run(words, terminal), out: out.join('\n'), err: err.join('\n') };
}

describe('the command line', () => {
  it('has others go first for what takes long, and leaves the process it is called in as it is', async () => {
    const priority = getPriority();
    const yielded: string[] = [];
    for (const name of ['backup', 'export', 'get']) {
      const nowhere = { out: () => undefined, err: () => undefined, interactive: false };
      await run([name, '--help'], { ...nowhere, yieldCpu: () => void yielded.push(name) });
      await run([name, '--help'], nowhere);
    }
    expect(yielded).toEqual(['backup']);
    expect(getPriority()).toBe(priority);
  });

  it('says how it is used', async () => {
    expect(await catalog('--help')).toMatchObject({ code: 0, out: expect.stringContaining('tokens') });
    expect((await catalog()).code).toBe(2);
    expect(await catalog('nonsense')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no command "nonsense"'),
    });
    expect((await catalog('constructor')).code).toBe(2);
    expect(await catalog('--version')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    for (const name of [
      'tokens',
      'import',
      'export',
      'backup',
      'restore',
      'get',
      'search',
      'jobs',
      'verify',
      'retention',
      'csv',
    ]) {
      expect(await catalog(name, '--help')).toMatchObject({
        code: 0,
        out: expect.stringContaining(`-- ${name}`),
      });
    }
  });

  it('prints JSON where it prints anything, and names variables that there are', async () => {
    const { out } = await catalog('completion');
    const names = [...out.matchAll(/^ {4}([a-z-]+)\) words=/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(15);
    const known = new Set<string>(Object.values(VARIABLES).map(({ name }) => name));
    for (const name of ['CATALOG_URL', 'CATALOG_TOKEN']) known.add(name);
    for (const name of ['', ...names]) {
      const { out: help } = await catalog(...[name, '--help'].filter(Boolean));
      // The service itself logs; nothing else is left out.
      if (!['', 'start'].includes(name))
        expect({ name, help }).toMatchObject({ help: expect.stringContaining('--json') });
      const variables = help.match(/\b(?:CATALOG|ELASTICSEARCH|ENABLE)_[A-Z_]+\b/g) ?? [];
      expect({ name, unknown: variables.filter((one) => !known.has(one)) }).toEqual({ name, unknown: [] });
    }
  });

  it('reads durations', () => {
    expect(['90m', '12h', '30d', '2w', 'never'].map(parseDuration)).toEqual([
      5_400_000,
      43_200_000,
      2_592_000_000,
      1_209_600_000,
      'never',
    ]);
    for (const bad of ['', '0d', '30', 'd', '-1d', '1y', '1.5h'])
      expect(() => parseDuration(bad)).toThrow('no duration');
  });
});

describe('completion', () => {
  it.each([
    [['ver'], ['verify']],
    [
      ['tokens', 'r'],
      ['revoke', 'rotate'],
    ],
    [['search', '--en'], ['--entity']],
    [['verify', '--j'], ['--json']],
    [['nonsense', '--j'], []],
  ])('completes %j in bash', async (words, expected) => {
    const { out } = await catalog('completion');
    const typed = ['catalog', ...words].map((word) => `'${word}'`).join(' ');
    const script = `${out}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _catalog; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', ['-euc', script], { encoding: 'utf8' });
    expect(stdout.split('\n').filter(Boolean)).toEqual(expected);
  });
});

describe('tokens', () => {
  it('makes, lists and revokes', async () => {
    const made = await catalog(
      'tokens',
      'create',
      '--user',
      'ann',
      '--role',
      'reader',
      '--name',
      'ci',
      '--duration',
      'never',
    );
    expect(made.code).toBe(0);
    expect(made.out).toMatch(/^cat_[\w-]{43}$/);
    const [, id] = /token (\w+) of urn:li:corpuser:ann, READER, for ever/.exec(made.err)!;
    expect((await catalog('tokens', 'list')).out).toMatch(
      new RegExp(`${id} +READER +for ever +urn:li:corpuser:ann +ci`),
    );
    const listed = JSON.parse((await catalog('tokens', 'list', '--json')).out) as { tokens: object[] };
    expect(listed.tokens).toContainEqual(expect.objectContaining({ id, role: 'READER', name: 'ci' }));
    const other = JSON.parse((await catalog('tokens', 'create', '--user', 'bot', '--json')).out) as object;
    expect(other).toMatchObject({ token: expect.stringMatching(/^cat_/), actor: 'urn:li:corpuser:bot' });
    expect((await catalog('tokens', 'revoke', id!)).code).toBe(0);
    expect((await catalog('tokens', 'list')).out).toContain('revoked');
    expect(await catalog('tokens', 'revoke', 'nope')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no token'),
    });
  });

  it('rotates a token, and the one that the data folder keeps', async () => {
    const made = await catalog('tokens', 'create', '--user', 'bot', '--role', 'editor', '--duration', '30d');
    const [, id] = /token (\w+) of/.exec(made.err)!;
    await writeFile(join(home, 'admin-token'), `${made.out}\n`);
    const rotated = await catalog('tokens', 'rotate', id!, '--overlap', '90m');
    expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(/^cat_[\w-]{43}$/) });
    expect(rotated.out).not.toBe(made.out);
    expect(rotated.err).toMatch(
      /ends \d{4}-\S+Z at the latest; the new one is in admin-token\n.*EDITOR, until /s,
    );
    expect((await readFile(join(home, 'admin-token'), 'utf8')).trim()).toBe(rotated.out);
    const end = (text: string, line: RegExp) => Date.parse(line.exec(text)![1]!);
    const { out } = await catalog('tokens', 'list');
    const [, other] = /the former token is (\w+) now/.exec(rotated.err)!;
    const [former, next] = [other, id].map((one) => end(out, new RegExp(`${one} +EDITOR +until (\\S+)`)));
    expect(Math.abs(former! - (Date.now() + 90 * 60_000))).toBeLessThan(5 * 60_000);
    expect(Math.abs(next! - (Date.now() + 30 * 86_400_000))).toBeLessThan(5 * 60_000);
    expect((await catalog('tokens', 'rotate', 'nope')).code).toBe(1);
    await rm(join(home, 'admin-token'));
  });

  it.each([
    [['tokens']],
    [['tokens', 'steal']],
    [['tokens', 'create']],
    [['tokens', 'create', '--user', 'ann', '--role', 'king']],
    [['tokens', 'create', '--user', 'ann', '--duration', 'soon']],
    [['tokens', 'create', '--usr', 'ann']],
    [['tokens', 'revoke']],
  ])('does not understand %j', async (words) => {
    expect(await catalog(...words)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('Usage:'),
    });
  });

  it('refuses a wrong user and a wrong environment in one line', async () => {
    expect(await catalog('tokens', 'create', '--user', 'urn:li:tag:x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('corpuser'),
    });
    process.env['PORT'] = 'x';
    expect(await catalog('tokens', 'list')).toMatchObject({
      code: 1,
      err: expect.stringContaining('PORT="x"'),
    });
  });
});

describe('import', () => {
  interface Seen {
    url: string;
    headers: IncomingHttpHeaders;
    proposals: Array<Record<string, any>>;
  }
  let server: Server;
  let seen: Seen[];
  let answers: Array<{ status: number; body?: unknown; headers?: Record<string, string> }>;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { proposals } = JSON.parse(Buffer.concat(chunks).toString()) as Pick<Seen, 'proposals'>;
        seen.push({ url: request.url!, headers: request.headers, proposals });
        const { status, body = { value: 'success' }, headers = {} } = answers.shift() ?? { status: 200 };
        response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    seen = [];
    answers = [];
  });

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const proposal = (id: number) =>
    JSON.stringify({
      entityType: 'tag',
      entityUrn: `urn:li:tag:${id}`,
      changeType: 'UPSERT',
      aspectName: 'tagProperties',
      aspect: { json: { name: `\u2028é${id}` } },
    });
  async function importText(text: string, ...options: string[]) {
    const file = join(home, 'file.jsonl');
    await writeFile(file, text);
    return catalog('import', file, '--server', address(), ...options);
  }

  it('sends the lines in batches and in order', async () => {
    const lines = Array.from({ length: 5 }, (_, id) => proposal(id));
    const result = await importText(
      `\ufeff${lines.slice(0, 2).join('\r\n')}\n\n${lines.slice(2).join('\n')}`,
      '--batch',
      '2',
      '--token',
      't-1',
    );
    expect(result).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/^5 proposals of .* imported in/),
    });
    expect(seen.map(({ proposals }) => proposals.length)).toEqual([2, 2, 1]);
    expect(seen.flatMap(({ proposals }) => proposals.map((p) => p['entityUrn']))).toEqual(
      [0, 1, 2, 3, 4].map((i) => `urn:li:tag:${i}`),
    );
    expect(seen[0]!.url).toBe('/aspects?action=ingestProposalBatch');
    expect(seen[0]!.headers).toMatchObject({
      authorization: 'Bearer t-1',
      'x-restli-protocol-version': '2.0.0',
      'content-type': 'application/json',
    });
    expect(seen[0]!.proposals[0]!['aspect']).toEqual({
      contentType: 'application/json',
      value: '{"name":"\u2028é0"}',
    });
  });

  it('leaves aspects that are text already as they are', async () => {
    const aspect = { value: '[]', contentType: 'application/json-patch+json' };
    await importText(JSON.stringify({ ...(JSON.parse(proposal(1)) as object), changeType: 'PATCH', aspect }));
    expect(seen[0]!.proposals[0]!['aspect']).toEqual(aspect);
  });

  it('keeps requests below the limit of the service', async () => {
    const big = proposal(1).replace('"name":"', `"name":"${'x'.repeat(4_000_000)}`);
    expect((await importText([big, big, big].join('\n'))).code).toBe(0);
    expect(seen).toHaveLength(3);
  });

  it('finds its token: the option, the environment, the one that was set, the file', async () => {
    await writeFile(join(home, 'admin-token'), 'from-file\n');
    await importText(proposal(1));
    process.env['CATALOG_ADMIN_TOKEN'] = 'from-settings';
    await importText(proposal(1));
    process.env['CATALOG_TOKEN'] = 'from-environment';
    await importText(proposal(1));
    await importText(proposal(1), '--token', 'from-option');
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer from-file',
      'Bearer from-settings',
      'Bearer from-environment',
      'Bearer from-option',
    ]);
  });

  it.each([
    ['{"entityType":', 'line 3: not valid JSON'],
    ['[]', 'line 3: a proposal must be a JSON object'],
    ['{"entityType":"tag","changeType":"UPSERT"}', 'line 3: "aspectName"'],
    [
      '{"entityType":"tag","changeType":"UPSERT","aspectName":"x","aspect":{"json":12345678901234567890}}',
      'line 3: the integer is outside ±(2^53−1) and would not be kept exactly (/aspect/json)',
    ],
  ])('names the line of %s, after sending what stands before', async (bad, message) => {
    const result = await importText(`${proposal(1)}\n${proposal(2)}\n${bad}\n${proposal(4)}`);
    expect(result.code).toBe(1);
    expect(result.err).toContain(message);
    expect(result.err).toContain('2 proposals');
    expect(seen).toHaveLength(1);
  });

  it('names the line that the service refuses', async () => {
    const message = 'must be text';
    answers = [
      {
        status: 422,
        body: { message: 'no', errors: [{ pointer: '/proposals/1/aspect/value/name', message }] },
      },
    ];
    const result = await importText(`${proposal(1)}\n\n${proposal(2)}\n`);
    expect(result.code).toBe(1);
    expect(result.err).toContain('line 3 (/aspect/value/name): the service answered 422: must be text');
    expect(result.err).toContain('0 proposals');
  });

  it('tries again what may pass, and gives up on what will not', async () => {
    answers = [{ status: 503 }, { status: 429 }];
    expect((await importText(proposal(1))).code).toBe(0);
    expect(seen).toHaveLength(3);
    answers = [{ status: 401, body: {} }];
    expect(await importText(proposal(1))).toMatchObject({
      code: 1,
      err: expect.stringContaining('CATALOG_TOKEN'),
    });
    expect(seen).toHaveLength(4);
  });

  it('says what it cannot read', async () => {
    expect(await catalog('import', join(home, 'missing'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot read'),
    });
    expect((await catalog('import')).code).toBe(2);
    expect((await catalog('import', 'x', '--batch', '0')).code).toBe(2);
    expect((await catalog('import', 'x', '--server', 'localhost:1')).code).toBe(2);
  });
});

describe('reading and searching', () => {
  it('refuse what they cannot ask for, before they ask', async () => {
    for (const [words, message] of [
      [['get'], 'give one URN'],
      [['get', 'orders'], 'give one URN'],
      [['search', 'tea', '--filter', 'platform'], '--filter "platform" must be <field>=<value>'],
      [['search', 'tea', '--count', 'ten'], '--count must be a whole number'],
      [['jobs'], 'say "list", "retry" or "drop"'],
      [['jobs', 'drop'], 'say with --queue whose deliveries are dropped'],
    ] as const)
      expect(await catalog(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    process.env['CATALOG_URL'] = 'ftp://nowhere';
    expect(await catalog('search', 'tea')).toMatchObject({
      code: 2,
      err: expect.stringContaining('CATALOG_URL must be an http(s) URL'),
    });
  });
});
