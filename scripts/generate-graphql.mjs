/**
 * Writes docs/schema.graphql, the GraphQL schema that the modules contribute to; with --check, compares. Runs on the
 * build: it starts the service on an empty folder, without a port.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(new URL('../docs/schema.graphql', import.meta.url));
const load = (file) => import(new URL(`../dist/${file}`, import.meta.url).href);
const { AppModule } = await load('app.module.js');
const { readConfiguration } = await load('config/configuration.js');
const { createApplication } = await load('http/index.js');
const { GraphqlService } = await load('modules/graphql/graphql.service.js');

const home = mkdtempSync(join(tmpdir(), 'catalog-schema-'));
let text;
try {
  const configuration = readConfiguration({
    CATALOG_HOME: home,
    CATALOG_ADMIN_TOKEN: 'generate',
    CATALOG_LOG_LEVEL: 'error',
  });
  const application = await createApplication(AppModule.with(configuration), configuration);
  await application.init();
  text = `${await application.get(GraphqlService, { strict: false }).sdl()}\n`;
  await application.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('docs/schema.graphql is out of date: npm run generate');
  process.exit(1);
}
