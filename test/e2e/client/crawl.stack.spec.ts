import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { ADMIN_TOKEN, removeHome } from '../../harness/catalog.js';
import { ROOT, ServiceProcess } from '../../harness/service-process.js';
import type { Ended } from '../../harness/warm-python.js';
import { FieldClient } from './field-client.js';

/** Addresses of what the test needs. A missing one fails the test: it never skips. */
function needed(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} must be set: see test/README.md`);
  return value;
}

const DATABASE = 'tea_shop_crawled';
const TABLES = [
  `CREATE TABLE customers (id BIGINT PRIMARY KEY AUTO_INCREMENT COMMENT 'Number of the customer',
     email VARCHAR(200) NOT NULL COMMENT 'Where receipts go', name VARCHAR(100), created_at DATETIME NOT NULL)
     COMMENT 'People who bought tea at least once'`,
  `CREATE TABLE products (id BIGINT PRIMARY KEY AUTO_INCREMENT, sku VARCHAR(40) NOT NULL UNIQUE,
     title VARCHAR(100) COMMENT 'Name on the tin', price DECIMAL(8,2) NOT NULL, kind ENUM('leaf','bag','pot'))
     COMMENT 'Everything on the shelves'`,
  `CREATE TABLE orders (id BIGINT PRIMARY KEY AUTO_INCREMENT, customer_id BIGINT NOT NULL, placed_at DATETIME NOT NULL,
     note TEXT, CONSTRAINT bought_by FOREIGN KEY (customer_id) REFERENCES customers(id)) COMMENT 'One row an order'`,
  `CREATE TABLE order_items (order_id BIGINT NOT NULL, product_id BIGINT NOT NULL, quantity INT NOT NULL,
     PRIMARY KEY (order_id, product_id), FOREIGN KEY (order_id) REFERENCES orders(id),
     FOREIGN KEY (product_id) REFERENCES products(id)) COMMENT 'What is in an order'`,
  `INSERT INTO customers (email, name, created_at) VALUES
     ('ada@example.org', 'Ada', '2026-01-01'), ('bela@example.org', 'Béla', '2026-02-01'), ('c@example.org', NULL, '2026-03-01')`,
  `INSERT INTO products (sku, title, price, kind) VALUES ('EG-1', 'Earl Grey', 4.50, 'leaf'), ('POT', '鉄瓶', 39.90, 'pot')`,
  `INSERT INTO orders (customer_id, placed_at) VALUES (1, '2026-04-01'), (1, '2026-04-02'), (2, '2026-04-03')`,
  `INSERT INTO order_items VALUES (1, 1, 2), (1, 2, 1), (2, 1, 5), (3, 1, 1)`,
  `CREATE VIEW customer_revenue AS SELECT c.id, c.name, SUM(i.quantity * p.price) AS revenue FROM customers c
     JOIN orders o ON o.customer_id = c.id JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id
     GROUP BY c.id, c.name`,
];
const urn = (table: string): string => `urn:li:dataset:(urn:li:dataPlatform:mysql,${DATABASE}.${table},PROD)`;

describe("the field's ingestion tool, unmodified, on a real database", () => {
  const database = new URL(needed('MARIADB_URL'));
  let home: string;
  let service: ServiceProcess;
  let client: FieldClient;
  let crawl: Ended;

  const ingest = () => client.attempt(['ingest', '-c', join(ROOT, 'examples', 'recipe-mysql.yml')]);
  const aspect = (table: string, name: string): Promise<any> => client.aspect(urn(table), name);

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-crawl-'));
    const connection = await createConnection(database.href);
    await connection.query(`DROP DATABASE IF EXISTS ${DATABASE}`);
    await connection.query(`CREATE DATABASE ${DATABASE}`);
    await connection.query(`USE ${DATABASE}`);
    for (const statement of TABLES) await connection.query(statement);
    await connection.end();
    service = await ServiceProcess.start(home);
    client = new FieldClient(home, service, {
      CATALOG_SERVER: service.url,
      CATALOG_TOKEN: ADMIN_TOKEN,
      MYSQL_HOST_PORT: database.host,
      MYSQL_DATABASE: DATABASE,
      MYSQL_USER: database.username,
      MYSQL_PASSWORD: database.password,
    });
    crawl = await ingest();
    expect(crawl).toMatchObject({ code: 0 });
  });

  afterAll(async () => {
    await client?.close();
    await service?.kill();
    await removeHome(home);
  });

  it('has every record accepted', () => {
    expect(crawl.stdout + crawl.stderr).toContain('Pipeline finished successfully');
    const sink = crawl.stdout.slice(crawl.stdout.indexOf('Sink (datahub-rest) report'));
    expect(sink).toMatch(/'failures': \[\]/);
    expect(sink).toMatch(/'warnings': \[\]/);
    expect(sink).toMatch(/'mode': 'ASYNC_BATCH'/);
    expect(Number(/'total_records_written': (\d+)/.exec(sink)?.[1])).toBeGreaterThan(30);
    expect(service.log).toBe('');
  });

  it('makes tables and views that search finds by name, column, comment and kind', async () => {
    const search = async (input: string, filter?: unknown): Promise<string[]> => {
      const answer = await service.post('/entities?action=search', {
        entity: 'dataset',
        input,
        start: 0,
        count: 20,
        filter,
      });
      expect(answer.status).toBe(200);
      return answer.body.value.entities;
    };
    expect((await search('customers'))[0]).toBe(urn('customers'));
    expect(await search('shelves')).toEqual([urn('products')]);
    expect(await search('placed_at')).toEqual([urn('orders')]);
    expect(await search('customer_revenue')).toContain(urn('customer_revenue'));
    const views = { or: [{ and: [{ field: 'typeNames', values: ['View'], condition: 'EQUAL' }] }] };
    expect(await search('*', views)).toEqual([urn('customer_revenue')]);
  });

  it('reads back schemas with comments, keys and foreign keys', async () => {
    const schema = await aspect('orders', 'schemaMetadata');
    expect(schema.fields.map((f: { fieldPath: string }) => f.fieldPath)).toEqual([
      'id',
      'customer_id',
      'placed_at',
      'note',
    ]);
    expect(schema.foreignKeys[0].foreignDataset).toBe(urn('customers'));
    const customers = await aspect('customers', 'schemaMetadata');
    expect(customers.fields[1]).toMatchObject({
      fieldPath: 'email',
      description: 'Where receipts go',
      nullable: false,
    });
  });

  it('reads back profiles', async () => {
    const profile = await aspect('order_items', 'datasetProfile');
    expect(profile).toMatchObject({ rowCount: 4, columnCount: 3 });
  });

  it("reads back the view's lineage, and relates it", async () => {
    const lineage = await aspect('customer_revenue', 'upstreamLineage');
    const upstreams = lineage.upstreams.map((u: { dataset: string }) => u.dataset).sort();
    expect(upstreams).toEqual(['customers', 'order_items', 'orders', 'products'].map(urn).sort());
    expect(lineage.fineGrainedLineages.length).toBeGreaterThan(0);
    const related = await fetch(
      `${service.url}/relationships?direction=INCOMING&urn=${encodeURIComponent(urn('orders'))}&types=DownstreamOf`,
      { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } },
    );
    expect(await related.json()).toMatchObject({ entities: [urn('customer_revenue')] });
  });

  it('changes nothing when it runs again, but the profiles', async () => {
    const versions = async (): Promise<unknown> => {
      const answer = await fetch(`${service.url}/entitiesV2/${encodeURIComponent(urn('orders'))}`, {
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'x-restli-protocol-version': '2.0.0' },
      });
      const { aspects } = (await answer.json()) as {
        aspects: Record<string, { systemMetadata: { version: string } }>;
      };
      return Object.fromEntries(Object.entries(aspects).map(([name, a]) => [name, a.systemMetadata.version]));
    };
    const before = await versions();
    expect(await ingest()).toMatchObject({ code: 0 });
    expect(await versions()).toEqual(before);
  });
});
