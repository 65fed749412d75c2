export * from './query-ast.js';
export * from './query-string-compiler.js';
export * from './query-string-parser.js';
