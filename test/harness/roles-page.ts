import { readFileSync } from 'node:fs';

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
export function permissionRows(): PermissionRow[] {
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
