export * from './prometheus-meter.js';
