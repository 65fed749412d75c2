/** What there is to know about a server before the catalog works on it. */
export interface ServerFacts {
  mariadb: boolean;
  /** As the server says it. */
  version: string;
  /** The longest statement that it takes, bytes. */
  maxPacket: number;
  /** What an operator should know, in sentences. */
  warnings: string[];
}

/** Below these, statements and column types that the catalog relies on are missing. */
const OLDEST = { mariadb: [10, 11], mysql: [8, 0] } as const;
/** The oldest release of MySQL that the catalog is tested with. */
const OLDEST_TESTED_MYSQL = [8, 4] as const;

/** A value of the largest body may double when it is escaped. */
const GOOD_PACKET = 40 * 1024 * 1024;

interface Variables {
  version: string;
  max_allowed_packet: number;
  innodb_flush_log_at_trx_commit: number;
  log_bin: number;
  sync_binlog: number;
}

/** @throws Error when the server is too old. */
export async function readServerFacts(ask: (sql: string) => Promise<object[]>): Promise<ServerFacts> {
  const [row] = (await ask(
    `SELECT VERSION() AS version, @@max_allowed_packet AS max_allowed_packet,
       @@innodb_flush_log_at_trx_commit AS innodb_flush_log_at_trx_commit,
       @@log_bin AS log_bin, @@sync_binlog AS sync_binlog`,
  )) as [Variables];
  return factsOf(row);
}

/** Pure, for {@link readServerFacts}. */
function factsOf(row: Variables): ServerFacts {
  const { version } = row;
  const mariadb = /mariadb/i.test(version);
  const numbers = versionNumbers(version);
  const [name, oldest] = mariadb
    ? (['MariaDB', OLDEST.mariadb] as const)
    : (['MySQL', OLDEST.mysql] as const);
  if (isBefore(numbers, oldest)) {
    throw new Error(
      `the database server is ${name} ${version}; the catalog needs MySQL ${OLDEST.mysql.join('.')} or MariaDB ${OLDEST.mariadb.join('.')}, or later`,
    );
  }
  const warnings: string[] = [];
  if (!mariadb && isBefore(numbers, OLDEST_TESTED_MYSQL)) {
    warnings.push(
      `the catalog is tested with MySQL ${OLDEST_TESTED_MYSQL.join('.')} and later, this is ${version}`,
    );
  }
  const flush = Number(row.innodb_flush_log_at_trx_commit);
  if (flush !== 1) {
    warnings.push(
      `the database does not flush at commit (innodb_flush_log_at_trx_commit = ${flush}): writes that were answered can be lost with the power; set it to 1`,
    );
  }
  if (Number(row.log_bin) === 1 && Number(row.sync_binlog) !== 1) {
    warnings.push(
      `the database does not flush its binary log at commit (sync_binlog = ${row.sync_binlog}): a replica can lose writes that were answered; set it to 1`,
    );
  }
  const maxPacket = Number(row.max_allowed_packet);
  if (maxPacket < GOOD_PACKET) {
    warnings.push(
      `the database takes statements of at most ${maxPacket} bytes (max_allowed_packet): values near that size are refused; ${GOOD_PACKET} fits the largest body`,
    );
  }
  return { mariadb, version, maxPacket, warnings };
}

/** `5.5.5-` in front is what MariaDB tells old clients. */
function versionNumbers(version: string): number[] {
  return (/^(?:5\.5\.5-)?(\d+)\.(\d+)/.exec(version) ?? []).slice(1, 3).map(Number);
}

function isBefore(
  [major = 0, minor = 0]: readonly number[],
  [than, thanMinor]: readonly [number, number],
): boolean {
  return major < than || (major === than && minor < thanMinor);
}
