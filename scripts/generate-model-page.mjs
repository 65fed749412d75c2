// Writes docs/model.md from the model: its entities, and the aspects of each; with --check, compares. Runs on the build.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { Model, sourceFolders } = await import('../dist/catalog/model/index.js');
const model = Model.load({
  builtIn: { folders: sourceFolders(fileURLToPath(new URL('../src', import.meta.url))) },
});
const file = fileURLToPath(new URL('../docs/model.md', import.meta.url));

const byName = (a, b) => (a.name < b.name ? -1 : 1);
const cell = (text) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
const link = (kind, name) => `[\`${name}\`](#${kind}-${name.toLowerCase()})`;
const entities = [...model.entities.values()].sort(byName);
const aspects = [...model.aspects.values()].sort(byName);

/** An entity: the fields of its key, and its aspects. */
function entityPart({ name, description, key, aspects: has }) {
  const links = [...has.keys()].sort().map((aspect) => link('aspect', aspect));
  return `### Entity ${name}

${description.trim()}

Its key \`${key.name}\` has ${key.keyFields.map((field) => `\`${field}\``).join(', ')}.

${links.join(', ')}
`;
}

/** An aspect: what it holds, and which entities have it. */
function aspectPart({ name, description, kind }) {
  const holders = entities.filter((entity) => entity.aspects.has(name));
  const shown = holders.length > 0 ? holders.map((entity) => link('entity', entity.name)).join(', ') : 'none';
  return `### Aspect ${name}

${description.trim()} It is ${kind === 'timeseries' ? 'a time series' : 'versioned'}.

Entities: ${shown}
`;
}

const text = `# Model reference

The ${entities.length} entities of the model and its ${aspects.length} aspects. This page is made from the model by \`npm run generate\`.
\`src/catalog/model/README.md\` says how to add your own. The fields of an aspect stand in the schemas of
\`/openapi/swagger-ui\` and in \`docs/schema.graphql\`.

## Entities

| Entity | What it is | Aspects |
| --- | --- | --- |
${entities.map((e) => `| ${link('entity', e.name)} | ${cell(e.description)} | ${e.aspects.size} |`).join('\n')}

${entities.map(entityPart).join('\n')}
## Aspects

${aspects.map(aspectPart).join('\n')}`;

if (process.argv.includes('--check')) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error('docs/model.md is out of date: npm run generate');
    process.exit(1);
  }
} else {
  writeFileSync(file, text);
}
