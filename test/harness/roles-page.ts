import { readFileSync } from 'node:fs';
import type { Operation } from './operations.js';

/** Which role may call an operation. */
export interface PermissionRow {
  /** `GET /entities/{urn}`, or the name of a GraphQL operation. */
  call: string;
  does: string;
  needs: string;
  READER: string;
  EDITOR: string;
}

/** The rows of docs/roles.md, which is made from the declarations of the operations. */
export function permissionRows(): readonly PermissionRow[] {
  return ROWS;
}

function readRows(): PermissionRow[] {
  const page = readFileSync('docs/roles.md', 'utf8');
  return [...page.matchAll(/^\| `([^`]+)` \| (.+?) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \|$/gm)].map(
    ([, call = '', does = '', needs = '', reader = '', editor = '']) => ({
      call,
      does,
      needs,
      READER: reader,
      EDITOR: editor,
    }),
  );
}

const ROWS: readonly PermissionRow[] = readRows();

/** What fits into the calls of the rows. */
const SHAPES = ROWS.map(({ call }) => {
  const shape = call
    .replaceAll(/[?.]/g, '\\$&')
    .replace('{v2,v3}', 'v[23]')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${shape}$`);
});

/** How much of a row is words: `/openapi/v3/entity/scroll` is not the kind "scroll". */
const literal = ({ call }: PermissionRow): number => call.replaceAll(/\{[^}]+\}/g, '').length;

/** The row that is about a call of the documents. */
export function permissionRowOf(operation: Operation): PermissionRow {
  const action = operation.query['action'];
  const about = `${operation.method} ${operation.pattern}${action === undefined ? '' : `?action=${action}`}`;
  const fits = ROWS.filter((_, i) => SHAPES[i]!.test(about));
  const [row] = fits.sort((a, b) => literal(b) - literal(a));
  if (row === undefined) throw new Error(`docs/roles.md says nothing of ${about}`);
  return row;
}
