import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

const PAGE = 4096;

/** Overwrites pages of a file of SQLite, as a broken disk does: each `step`-th one from `from` on. */
export function overwritePages(file: string, from: number, step: number): number {
  const handle = openSync(file, 'r+');
  try {
    const pages = Math.floor(fstatSync(handle).size / PAGE);
    let count = 0;
    for (let page = from; page < pages; page += step, count++) {
      writeSync(handle, Buffer.alloc(PAGE, 'Z'), 0, PAGE, page * PAGE);
    }
    return count;
  } finally {
    closeSync(handle);
  }
}
