/** What types and resolvers of other modules need of owners in GraphQL. */
export { OwnerInput, OwnershipUpdate } from './ownership.inputs.js';
