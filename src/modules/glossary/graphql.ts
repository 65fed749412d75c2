/** What types of other modules need of glossary terms in GraphQL. */
export { GlossaryTerms, glossaryTerms } from './term-associations.types.js';
