export { CHANGE_LOG_COLUMNS, ChangeLogRow } from './entities/change-log.row.js';
export { PendingDeliveryRow } from './entities/pending-delivery.row.js';
export { ChangeLogModule } from './change-log.module.js';
export { ChangeLogSupervisor } from './change-log-supervisor.js';
export { ConsumerBarrier } from './consumer-barrier.js';
export { ConsumerProgress } from './consumer-progress.js';
export { PendingDeliveries, type ConsumerLag } from './pending-deliveries.js';
