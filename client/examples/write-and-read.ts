// Writes an aspect, reads it back, and changes it unless another writer was faster.
import { Catalog, CatalogRefusal, MeDocument } from 'metadata-catalog-client';

const url = process.env['CATALOG_URL']!;
const catalog = new Catalog({ url, token: () => process.env['CATALOG_TOKEN']! });
const urn = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.teapots,PROD)';
const path = { entity: 'dataset' as const, urn, aspect: 'datasetProperties' as const };

const written = await catalog.openapi.POST('/openapi/v3/entity/{entity}/{urn}/{aspect}', {
  params: { path },
  body: { value: { name: 'teapots', description: 'Every pot we sell' } },
});
if (written.error) throw new Error(written.error.detail);

const etag = written.response.headers.get('etag')!;
const change = (description: string) =>
  catalog.openapi.PATCH('/openapi/v3/entity/{entity}/{urn}/{aspect}', {
    params: { path, header: { 'If-Match': etag } },
    body: { patch: [{ op: 'replace', path: '/description', value: description }] },
  });
console.log((await change('Every pot we sell, by size')).response.status);
console.log((await change('Too late')).error?.code);

const read = await catalog.openapi.GET('/openapi/v3/entity/{entity}/{urn}/{aspect}', { params: { path } });
console.log(read.data?.['datasetProperties']?.value['description']);

const unauthenticated = new Catalog({ url, token: 'unknown' });
await unauthenticated.graphql(MeDocument).catch((error: unknown) => {
  if (error instanceof CatalogRefusal) console.log(error.status, error.code);
  else throw error;
});
