import { EntityObject, NarrowEntity } from '../graphql/index.js';

@EntityObject('dataContract', 'The promises made about a dataset, as assertions.')
export class DataContract extends NarrowEntity {}
