/**
 * Writes docs/schema.graphql, the GraphQL schema that the modules contribute to, and docs/roles.md, what each role may call; with
 * --check, compares. Runs on the build: it starts the service on an empty folder, without a port.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolesPage } from './roles-page.mjs';

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

// After the start: the resolvers say what their operations need.
for (const [name, wanted] of [
  ['schema.graphql', text],
  ['roles.md', await rolesPage(load, text)],
]) {
  const target = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
  if (!process.argv.includes('--check')) writeFileSync(target, wanted);
  else if (!existsSync(target) || readFileSync(target, 'utf8') !== wanted) {
    console.error(`docs/${name} is out of date: npm run generate`);
    process.exitCode = 1;
  }
}
