import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestCatalog } from '../../harness/catalog.js';

const COMPILES_ONCE = fileURLToPath(new URL('spectral-compiles-once.cjs', import.meta.url));

/** What differs in the other documents is the model alone. */
const DOCUMENTS = ['generic', 'across-entities', 'aspect-api', 'entities-v3-more', 'entities-v2-more'];

describe.each(['3.1', '3.0'])('linters on the documents in OpenAPI %s', (form) => {
  let catalog: TestCatalog;
  let folder: string;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    folder = await mkdtemp(join(tmpdir(), 'catalog-linted-'));
    await writeFile(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
    for (const name of DOCUMENTS) {
      const answer = await catalog.get(`/openapi/v3/api-docs/${name}?openapi=${form}`, { token: null });
      expect(answer.status).toBe(200);
      await writeFile(join(folder, `${name}.json`), answer.text);
    }
  });
  afterAll(async () => {
    await catalog.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Ends with an error when the linter finds one. */
  function lint(linter: string, ...parameters: string[]): Promise<string> {
    const programs = process.env['OPENAPI_LINTERS'];
    if (!programs)
      throw new Error('OPENAPI_LINTERS must name a folder with redocly and spectral: see .ci/run');
    const env = {
      ...process.env,
      ...{ REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      ...(linter === 'spectral' && { NODE_OPTIONS: `--require "${COMPILES_ONCE}"` }),
    };
    return new Promise((resolve, reject) => {
      execFile(
        join(programs, linter),
        parameters,
        { cwd: folder, env, maxBuffer: 1e8 },
        (error, out, errors) =>
          error
            ? reject(new Error(`${error.message}\n${out}\n${errors}`.slice(0, 20_000)))
            : resolve(out + errors),
      );
    });
  }

  it.each(DOCUMENTS)('redocly finds no error in %s', async (name) => {
    expect(await lint('redocly', 'lint', '--extends', 'recommended', `${name}.json`)).toContain('valid');
  });

  it.each(DOCUMENTS)('spectral finds no error in %s', async (name) => {
    const output = await lint(
      'spectral',
      'lint',
      '-r',
      'spectral.yaml',
      '--fail-severity',
      'error',
      `${name}.json`,
    );
    expect(output).toContain('0 errors');
  });
});
