// Finds datasets, and puts a tag on the first of them.
import {
  AddTagDocument,
  Catalog,
  CreateTagDocument,
  DatasetDocument,
  SearchDocument,
} from 'metadata-catalog-client';

const catalog = new Catalog({ url: process.env['CATALOG_URL']!, token: process.env['CATALOG_TOKEN']! });

const { searchAcrossEntities } = await catalog.graphql(SearchDocument, {
  input: { types: ['DATASET'], query: 'parcels', count: 5 },
});
for (const { entity } of searchAcrossEntities?.searchResults ?? []) console.log(entity.displayName);

const found = searchAcrossEntities?.searchResults?.[0]?.entity.urn;
if (!found) throw new Error('nothing was found');
const { createTag } = await catalog.graphql(CreateTagDocument, {
  input: { id: 'looked-at', name: 'Looked at' },
});
await catalog.graphql(AddTagDocument, { input: { resourceUrn: found, tagUrn: createTag! } });

const { dataset } = await catalog.graphql(DatasetDocument, { urn: found });
console.log(dataset?.tags?.tags?.map(({ tag }) => tag.name).join(', '));
