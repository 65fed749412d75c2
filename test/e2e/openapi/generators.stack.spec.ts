import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { OpenapiDocument, Operation } from '../../../src/modules/openapi/document/openapi-types.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { ROOT } from '../../harness/service-process.js';
import { path } from './support.js';

const run = promisify(execFile);
const MODULES = join(ROOT, 'node_modules');
const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.generated,PROD)';
const FORMS = ['3.1', '3.0'] as const;

/** A program of another ecosystem, which an environment variable names. */
function program(variable: string): string {
  const found = process.env[variable];
  if (!found) throw new Error(`${variable} must name a program: see .ci/run`);
  return found;
}

const TYPESCRIPT = `
import { Configuration, EntitiesApi } from './client/index.js';
const api = new EntitiesApi(new Configuration({
  basePath: process.env['CATALOG_URL']!,
  accessToken: process.env['CATALOG_TOKEN']!,
}));
const read = await api.getEntityAspect({ entity: 'dataset', urn: process.env['URN']!, aspect: 'datasetProperties' });
console.log(JSON.stringify(read));
`;

const PYTHON = `
import os
from openapi_client import ApiClient, Configuration
from openapi_client.api.entities_api import EntitiesApi
api = EntitiesApi(ApiClient(Configuration(host=os.environ["CATALOG_URL"], access_token=os.environ["CATALOG_TOKEN"])))
print(api.get_entity_aspect("dataset", os.environ["URN"], "datasetProperties").to_json())
`;

const PYTHON_CLIENT = `
import json, os
from client import AuthenticatedClient
from client.api.entities import get_entity_aspect
from client.models import AspectName, EntityType
api = AuthenticatedClient(base_url=os.environ["CATALOG_URL"], token=os.environ["CATALOG_TOKEN"])
read = get_entity_aspect.sync(
    entity=EntityType.DATASET, urn=os.environ["URN"], aspect=AspectName.DATASETPROPERTIES, client=api
)
print(json.dumps(read.to_dict()))
`;

const GO = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/reader/client"
)

func main() {
	api, err := client.NewClientWithResponses(os.Getenv("CATALOG_URL"), client.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("CATALOG_TOKEN"))
			return nil
		}))
	if err != nil {
		panic(err)
	}
	read, err := api.GetEntityAspectWithResponse(context.Background(), "dataset", os.Getenv("URN"), "datasetProperties", nil)
	if err != nil {
		panic(err)
	}
	text, err := read.JSON200.MarshalJSON()
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
`;

describe.each(FORMS)('clients generated from the generic document in OpenAPI %s', (form) => {
  let catalog: TestCatalog;
  let folder: string;
  let names: string[];
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    folder = await mkdtemp(join(tmpdir(), 'catalog-generated-'));
    await symlink(MODULES, join(folder, 'node_modules'));
    const body = { value: { name: 'generated', description: 'Read by generated clients.' } };
    expect((await catalog.post(path(URN, 'datasetProperties'), body)).status).toBe(200);
    const answer = await catalog.get(`/openapi/v3/api-docs/generic?openapi=${form}`, { token: null });
    await writeFile(join(folder, 'catalog.json'), answer.text);
    names = Object.values((answer.body as OpenapiDocument).paths).flatMap((item) =>
      Object.entries(item).flatMap(([method, operation]) =>
        method === 'parameters' ? [] : [(operation as Operation).operationId],
      ),
    );
    expect(names.length).toBeGreaterThan(20);
  });
  afterAll(async () => {
    await catalog.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function call(file: string, parameters: string[], cwd = folder): Promise<string> {
    const env = {
      ...process.env,
      CATALOG_URL: catalog.url,
      CATALOG_TOKEN: ADMIN_TOKEN,
      URN,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const { stdout } = await run(file, parameters, { cwd, env, maxBuffer: 1e8 }).catch(
      (error: { stdout: string; stderr: string }) => {
        throw new Error(`${file} ${parameters.join(' ')}\n${error.stdout}\n${error.stderr}`.slice(0, 20_000));
      },
    );
    return stdout;
  }

  /** Every operation of the document is in the source text, whatever the language does to its name. */
  async function expectAll(...at: string[]): Promise<void> {
    const files = await readdir(join(folder, ...at), { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
    const found = `${files.map(({ name }) => name).join(' ')} ${(await Promise.all(texts)).join(' ')}`;
    const plain = found.replaceAll('_', '').toLowerCase();
    expect(names.filter((name) => !plain.includes(name.toLowerCase()))).toEqual([]);
  }

  const expectRead = (output: string): void =>
    expect(JSON.parse(output.slice(output.indexOf('{')))).toMatchObject({
      urn: URN,
      datasetProperties: { value: { name: 'generated' } },
    });

  it('openapi-generator: typescript-fetch', async () => {
    const generator = program('OPENAPI_GENERATOR');
    await call(generator, [
      'generate',
      '-i',
      'catalog.json',
      '-g',
      'typescript-fetch',
      '-o',
      'fetch/client',
      '-p',
      'importFileExtension=.js',
    ]);
    await expectAll('fetch', 'client', 'apis');
    await writeFile(join(folder, 'fetch/program.ts'), TYPESCRIPT);
    await writeFile(join(folder, 'fetch/package.json'), '{"type":"module"}');
    const options = [
      '--target',
      'es2024',
      '--module',
      'nodenext',
      '--skipLibCheck',
      '--types',
      'node',
      '--strict',
    ];
    await call(process.execPath, [
      join(MODULES, '@typescript/native/bin/tsc'),
      ...options,
      'fetch/program.ts',
    ]);
    expectRead(await call(process.execPath, ['fetch/program.js']));
  });

  it('openapi-generator: python', async () => {
    const generator = program('OPENAPI_GENERATOR');
    await call(generator, ['generate', '-i', 'catalog.json', '-g', 'python', '-o', 'python']);
    await expectAll('python', 'openapi_client', 'api');
    await writeFile(join(folder, 'python/program.py'), PYTHON);
    const python = join(dirname(program('OPENAPI_PYTHON_CLIENT')), 'python');
    expectRead(await call(python, ['program.py'], join(folder, 'python')));
  });

  it('openapi-python-client', async () => {
    const generator = program('OPENAPI_PYTHON_CLIENT');
    const said = await call(generator, [
      'generate',
      '--path',
      'catalog.json',
      '--output-path',
      'client',
      '--meta',
      'none',
    ]);
    expect(said).not.toMatch(/WARNING|Unable to/);
    await expectAll('client', 'api');
    await writeFile(join(folder, 'program.py'), PYTHON_CLIENT);
    expectRead(await call(join(dirname(generator), 'python'), ['program.py']));
  });

  it('oapi-codegen', async () => {
    const generator = program('OAPI_CODEGEN');
    const client = join(folder, 'go/client');
    await call('mkdir', ['-p', client]);
    await call(generator, [
      '-generate',
      'types,client',
      '-package',
      'client',
      '-o',
      join(client, 'client.go'),
      'catalog.json',
    ]);
    await expectAll('go', 'client');
    await writeFile(join(folder, 'go/main.go'), GO);
    await writeFile(join(folder, 'go/go.mod'), 'module example.com/reader\n\ngo 1.24\n');
    await call('go', ['mod', 'tidy'], join(folder, 'go'));
    expectRead(await call('go', ['run', '.'], join(folder, 'go')));
  });
});
