const words = (text: string) => text.trim().split(/\s+/);

/** What tables and reports are about, the commonest first. */
export const SUBJECTS = words(`
  orders users customers events sales revenue products payments sessions inventory accounts invoices shipments clicks
  campaigns returns subscriptions refunds stores regions suppliers employees contracts tickets reviews warehouses devices
  leads budgets forecasts discounts carts pages emails articles deliveries vehicles routes sensors policies claims
  Größe café naïve Straße 订单 用户 売上 данные 42 2023 q1 x`);

/** How their names go on. */
export const ENDINGS = words(`
  daily created monthly v2 history raw clean snapshot summary agg updated deleted hourly backup tmp weekly 2023 2024 dim
  final test by_region by_customer per_store latest archive stg 1 10 2 prod`);

/** How their names begin. */
export const BEGINNINGS = words('fct dim stg raw int rpt mart tmp vw agg');

export const SCHEMAS = words('public marts staging raw analytics core finance growth ops sandbox');
export const PLATFORMS = words('snowflake hive postgres kafka mysql s3 bigquery dbt looker airflow');

/** Words of descriptions, the commonest first. */
export const PROSE = words(`
  the of a and for each in data from by table is with all one to per on that are customer order day team report source
  last number total user daily updated contains used pipeline warehouse columns record key business unique active time
  status amount event product shop loaded night ledger metrics finance growth dashboard legacy deprecated anonymised
  personal information joined deduplicated late arriving facts dimension surrogate identifier timestamp currency exchange
  rate attribution funnel churn retention cohort experiment variant baseline anomaly reconciliation quarter fiscal tax
  E-Mail it's "quoted" 100% user_id order-id CamelCaseWord HTTPServer 3.5 🚀 数据 Ärger`);

export const TAGS = words(
  'pii Legacy gold silver bronze finance Confidential gdpr hourly Tier1 team-growth 数据',
);
export const PEOPLE = words('ada grace alan edsger barbara donald margaret ken dennis bjarne linus guido');
export const SURNAMES = words(
  'Lovelace Hopper Turing Dijkstra Liskov Knuth Hamilton Thompson Ritchie Müller',
);
export const DOMAINS = words('marketing finance operations engineering people');
export const TERMS = words(
  'Customer Revenue Churn.Rate Order.Line PersonalData Classification.Sensitive KPI',
);
export const COLUMNS = words(`
  id user_id order_id customer_id created_at updated_at amount currency status name email country quantity price total
  sku event_type sessionId ipAddress is_active _loaded_at description zip_code 日付`);
