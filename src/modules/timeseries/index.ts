export * from './event-filter.js';
export * from './timeseries.module.js';
export * from './timeseries.service.js';
export { EventReports } from './event-reports.js';
