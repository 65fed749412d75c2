import { RECEIPT_ACTIONS } from './modules/accepted-writes/receipt.routes.js';
import { TRACE_ROUTES } from './modules/accepted-writes/trace.routes.js';
import { JOB_ROUTES } from './modules/change-log/job.routes.js';
import { getCount } from './modules/entities/count.routes.js';
import { ASPECT_ACTIONS, ENTITY_ACTIONS, READ_ROUTES } from './modules/entities/entities.routes.js';
import { FEED_CONSUMER_ACTIONS } from './modules/events/consumers/feed-consumer.routes.js';
import { EVENT_ROUTES } from './modules/events/events.routes.js';
import { INGEST_ROUTES, SNAPSHOT_ROUTES } from './modules/ingest/ingest.routes.js';
import { INTEGRITY_ACTIONS } from './modules/integrity/integrity.routes.js';
import { ENTITY_COUNT_ROUTES } from './modules/lifecycle/counts/entity-counts.routes.js';
import { LIFECYCLE_ROUTES } from './modules/lifecycle/lifecycle.routes.js';
import { getReferenceCleanup } from './modules/lifecycle/references/cleanup.routes.js';
import { RUN_ACTIONS, RUN_ROUTES } from './modules/lifecycle/runs/run.routes.js';
import type { ApiRoutes } from './modules/openapi/document/documents.js';
import { REGISTRY_ROUTES } from './modules/openapi/registry/registry.routes.js';
import { receiveLineageEvent } from './modules/openlineage/openlineage.routes.js';
import { HEALTH_ROUTES } from './modules/operations/operations.routes.js';
import {
  INDEX_ROUTES,
  OPERATIONS,
  restoreIndicesOfAspects,
} from './modules/search/maintenance/index-operations.routes.js';
import { SEARCH_ROUTES } from './modules/search/search.routes.js';
import { applyRetention } from './modules/retention/retention.routes.js';
import { DEFINITION_ASPECT } from './modules/structured-properties/property-definition.js';
import { propertyRemovals } from './modules/structured-properties/removal/removal.routes.js';
import { LINEAGE_ACTIONS, RELATIONSHIP_ACTIONS } from './modules/relationships/lineage/lineage.routes.js';
import { getRelationships, RELATIONSHIP_ROUTES } from './modules/relationships/relationships.routes.js';
import { TIMELINE_ROUTES } from './modules/timeline/timeline.routes.js';
import { ANALYTICS_ACTIONS, getTimeseriesStats } from './modules/timeseries/analytics.routes.js';
import {
  getEsTaskStatus,
  getIndexSizes,
  getTimeseriesAspectValues,
  listEvents,
  truncateTimeseriesAspect,
} from './modules/timeseries/timeseries.routes.js';
import { USAGE_ACTIONS, USAGE_ROUTES } from './modules/timeseries/usage.routes.js';
import { TRANSFER_ROUTES } from './modules/transfer/export.routes.js';
import { SIGN_IN_ROUTES } from './modules/sign-in/sign-in.routes.js';
import { AUDIT_ACTIONS, AUDIT_ROUTES } from './modules/audit/audit.routes.js';
import { WEBHOOK_ROUTES } from './modules/webhooks/webhook.routes.js';

/**
 * The routes that the modules declare, in the order in which the API documents show them. Loaded where documents are
 * built, which is part of the build.
 */
export const ROUTES: ApiRoutes = {
  actions: [
    ...INGEST_ROUTES,
    getTimeseriesAspectValues,
    ...USAGE_ROUTES,
    getTimeseriesStats,
    getCount,
    restoreIndicesOfAspects,
    ...SNAPSHOT_ROUTES,
    ...SEARCH_ROUTES,
    ...LINEAGE_ACTIONS,
    ...LIFECYCLE_ROUTES,
    ...RUN_ROUTES,
    ...INDEX_ROUTES,
    propertyRemovals,
    ...JOB_ROUTES,
    ...WEBHOOK_ROUTES,
    ...FEED_CONSUMER_ACTIONS,
    ...AUDIT_ACTIONS,
    ...INTEGRITY_ACTIONS,
    applyRetention,
    truncateTimeseriesAspect,
    getIndexSizes,
    getEsTaskStatus,
    ...RECEIPT_ACTIONS,
  ],
  resources: {
    aspectApi: [ASPECT_ACTIONS, ENTITY_ACTIONS, RELATIONSHIP_ACTIONS, USAGE_ACTIONS, ANALYTICS_ACTIONS],
    operations: [RUN_ACTIONS, OPERATIONS],
  },
  aspectApi: [...READ_ROUTES, getRelationships],
  counts: ENTITY_COUNT_ROUTES,
  health: HEALTH_ROUTES,
  signIn: SIGN_IN_ROUTES,
  relationships: [...RELATIONSHIP_ROUTES, ...TIMELINE_ROUTES],
  events: [listEvents],
  feed: [...EVENT_ROUTES, ...AUDIT_ROUTES, ...TRANSFER_ROUTES],
  openlineage: [receiveLineageEvent],
  tracing: [getReferenceCleanup, ...TRACE_ROUTES],
  registry: REGISTRY_ROUTES,
  neverDeleted: [DEFINITION_ASPECT],
};
