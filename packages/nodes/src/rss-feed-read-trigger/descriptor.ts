import type { KindDescriptor } from '@weft/node-catalogue';
import { text } from '../descriptors/build-parameters';
import { POLL_TIMES } from '../descriptors/clock-times';

/** Starts runs with the new entries of a feed. */
export const rssFeedReadTrigger: KindDescriptor = {
  kind: 'rssFeedReadTrigger',
  label: 'RSS feed trigger',
  description: 'Polls an RSS or Atom feed and starts a run with new entries.',
  versions: [1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  differs: [
    'Entries with the date of the newest one, and entries without a date, are distinguished by content: a new one ' +
      'starts a run.',
    'A run starts with at most 500 new entries; the others follow at the next poll times, the oldest first.',
    'After failures the feed is polled less often, down to once an hour.',
    'Addresses of private networks are blocked unless `OUTBOUND_ALLOW` permits them.',
  ],
  parameters: [
    POLL_TIMES,
    text('feedUrl', 'Feed URL', '', {
      required: true,
      help: 'URL of the feed.',
      placeholder: 'https://example.com/feed.xml',
    }),
  ],
};
