import {
  Chart,
  Container,
  Dashboard,
  DataFlow,
  DataJob,
  DataPlatform,
  MLFeature,
  MLFeatureTable,
  MLPrimaryKey,
} from './entities/index.js';
import { lastIngestedOf } from './last-ingested.js';

export const LastIngestedOfChart = lastIngestedOf(Chart);
export const LastIngestedOfContainer = lastIngestedOf(Container);
export const LastIngestedOfDashboard = lastIngestedOf(Dashboard);
export const LastIngestedOfDataFlow = lastIngestedOf(DataFlow);
export const LastIngestedOfDataJob = lastIngestedOf(DataJob);
export const LastIngestedOfDataPlatform = lastIngestedOf(DataPlatform);
export const LastIngestedOfMLFeature = lastIngestedOf(MLFeature);
export const LastIngestedOfMLFeatureTable = lastIngestedOf(MLFeatureTable);
export const LastIngestedOfMLPrimaryKey = lastIngestedOf(MLPrimaryKey);
