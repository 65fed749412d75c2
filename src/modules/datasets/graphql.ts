/** What resolvers of other modules need of datasets in GraphQL. */
export { Dataset } from './dataset.types.js';
export { dataType, SchemaFieldDataType } from './schema.types.js';
