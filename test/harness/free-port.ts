import getPort, { portNumbers } from 'get-port';

/** Below what Linux gives to connections and to servers that ask for any port, 32768 to 60999. */
const FIRST = 20_000;
/** Ports of each worker. */
const OWN = 1_000;
const WORKERS = 12;

/**
 * A free port for a program that a test starts. One that the system gives out could be taken by the service of another test
 * before the program listens: its test would find that service ready, and lose it when the other test ends.
 */
export function freePort(): Promise<number> {
  const first = FIRST + (Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS) * OWN;
  // Other runs on this machine have workers of the same numbers.
  const from = first + Math.floor((Math.random() * OWN) / 2);
  return getPort({ port: portNumbers(from, first + OWN - 1) });
}
