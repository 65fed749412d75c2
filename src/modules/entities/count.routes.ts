import { action, aspectName, text } from '../../catalog/route/index.js';

export const getCount = action({
  resource: 'aspects',
  action: 'getCount',
  summary: 'Counts the entities that have an aspect, or the events of a time series',
  parameters: {
    aspect: aspectName('name of the aspect'),
    urnLike: text('SQL LIKE pattern of the URNs to count'),
  },
  required: ['aspect'],
  answer: 'a number',
  example: { aspect: 'status', urnLike: 'urn:li:dataset:%' },
});
