/** What types and resolvers of other modules need of owners in GraphQL. */
export { OwnershipUpdate } from './ownership.inputs.js';
