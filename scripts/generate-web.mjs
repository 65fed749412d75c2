/**
 * Writes web/src/generated.ts: the documents of the web application with their types.
 * Usage: node scripts/generate-web.mjs [--check]
 */
import { fileURLToPath } from 'node:url';
import { formatted, keep, typedDocuments } from './typed-documents.mjs';

const documents = fileURLToPath(new URL('../web/src/documents.graphql', import.meta.url));
keep('web/src/generated.ts', await formatted(await typedDocuments(documents)));
