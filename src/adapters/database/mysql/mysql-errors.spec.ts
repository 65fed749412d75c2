import { describe, expect, it } from '@jest/globals';
import { asCatalogError, writeTroubleOf } from './mysql-errors.js';

const failure = (errno: number, message: string) => Object.assign(new Error(message), { errno });

describe('what a server without room or without the right to write says', () => {
  it.each<[number, string, string]>([
    [1021, 'Disk full (/tmp/#sql); waiting for someone to free some space', 'full'],
    [1114, "The table 'aspect' is full", 'full'],
    [1030, 'Got error 28 "No space left on device" from storage engine InnoDB', 'full'],
    [3, 'Error writing file \'/tmp/MYfd=1\' (Errcode: 28 "No space left on device")', 'full'],
    [1005, `Can't create table 'x' (errno: 28 "No space left on device")`, 'full'],
    [1290, 'The MariaDB server is running with the --read-only option', 'read-only'],
    [1836, 'Running in read-only mode', 'read-only'],
  ])('is 503 and named: %i %s', (errno, message, word) => {
    expect(writeTroubleOf(failure(errno, message))).toContain(word);
    expect(asCatalogError(failure(errno, message))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(word === 'full' ? /full; make room on it, then try again$/ : word),
    });
  });

  it.each<[number, string]>([
    [1062, "Duplicate entry 'error 28, no space left' for key 'PRIMARY'"],
    [1040, 'Too many connections'],
    [0, 'no space left'],
  ])('is told from everything else: %i %s', (errno, message) => {
    expect(writeTroubleOf(failure(errno, message))).toBeUndefined();
  });
});
