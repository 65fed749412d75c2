import { Chart, Container, Dashboard, DataFlow, DataJob, DataPlatform } from './entities/index.js';
import { lastIngestedOf } from './last-ingested.js';

export const LastIngestedOfChart = lastIngestedOf(Chart);
export const LastIngestedOfContainer = lastIngestedOf(Container);
export const LastIngestedOfDashboard = lastIngestedOf(Dashboard);
export const LastIngestedOfDataFlow = lastIngestedOf(DataFlow);
export const LastIngestedOfDataJob = lastIngestedOf(DataJob);
export const LastIngestedOfDataPlatform = lastIngestedOf(DataPlatform);
