import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { ADMIN_TOKEN, type TestCatalog } from './catalog.js';
import { ROOT } from './service-process.js';

const execute = promisify(execFile);

/** A command of a page of the documentation. */
export interface Block {
  title: string;
  command: string;
  /** What is printed after it on the page, if anything: JSON that the answer holds, or all of the text. */
  answer: { kind: string; text: string } | undefined;
}

/** A page of `docs/`. */
export function readPage(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8');
}

/** The commands of a page in their order; a test finds those in blocks marked `sh`. */
export function blocksOf(page: string): Block[] {
  const shape = /```sh\n(.+?)```(?:\s*```(json|text)\n(.+?)```)?/gs;
  return [...page.matchAll(shape)].map(([, command = '', kind, text = ''], i) => ({
    title: `${i + 1}: ${command.split('\n')[0]!.slice(0, 120)}`,
    command,
    answer: kind === undefined ? undefined : { kind, text },
  }));
}

/** Whether a line is the body of an error, or what GraphQL refuses with the status 200. */
export function isRefusal(line: string): boolean {
  try {
    const answer = JSON.parse(line) as unknown;
    return (
      typeof answer === 'object' && answer !== null && ('errors' in answer || 'exceptionClass' in answer)
    );
  } catch {
    return false;
  }
}

let npmHasRun = false;

/**
 * Where the shell of a command finds programs. npm itself runs the first command of a file that calls it. From then on
 * `bin/npm` takes the place of npm.
 */
export function pathFor(command: string): string {
  const { PATH = '' } = process.env;
  const path = npmHasRun ? `${join(ROOT, 'test/harness/bin')}:${PATH}` : PATH;
  npmHasRun ||= command.includes('npm run catalog -- ');
  return path;
}

/** Runs a command in a shell as the page's reader does. @throws when it ends with an error */
export async function printed(
  catalog: TestCatalog,
  command: string,
  more: Record<string, string> = {},
): Promise<string> {
  const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: ROOT,
    env: {
      ...process.env,
      PATH: pathFor(command),
      CATALOG_URL: catalog.url,
      CATALOG_TOKEN: ADMIN_TOKEN,
      CATALOG_HOME: catalog.home,
      no_proxy: '*',
      npm_config_loglevel: 'silent',
      ...more,
    },
  });
  return stdout;
}

/** Runs a command and compares what it prints with the page. */
export async function checkBlock(catalog: TestCatalog, { command, answer }: Block): Promise<void> {
  const stdout = await printed(catalog, command);
  if (answer?.kind === 'json') expect(JSON.parse(stdout)).toMatchObject(JSON.parse(answer.text) as object);
  // Answers of the APIs say what is wrong, with an exit of 0 of curl.
  if (answer === undefined) expect(stdout.split('\n').filter(isRefusal)).toEqual([]);
  if (answer?.kind === 'text') expect(stdout.trim()).toBe(answer.text.trim());
}
