import type { KindDescriptor } from '../descriptor';
import { cron } from './cron';
import { dateTime } from './date-time';
import { graphql } from './graphql';
import { html, htmlExtract } from './html';
import { httpRequest } from './http-request';
import { ifKind } from './if';
import { interval } from './interval';
import { manualTrigger } from './manual-trigger';
import { merge } from './merge';
import { noOp } from './no-op';
import { renameKeys } from './rename-keys';
import { respondToWebhook } from './respond-to-webhook';
import { rssFeedRead } from './rss-feed-read';
import { scheduleTrigger } from './schedule-trigger';
import { set } from './set';
import { stickyNote } from './sticky-note';
import { stopAndError } from './stop-and-error';
import { webhook } from './webhook';

/** Every node kind there is, in the order in which people look for them. */
export const KINDS: readonly KindDescriptor[] = [
  manualTrigger,
  webhook,
  respondToWebhook,
  scheduleTrigger,
  cron,
  interval,
  set,
  ifKind,
  merge,
  httpRequest,
  graphql,
  rssFeedRead,
  dateTime,
  renameKeys,
  html,
  htmlExtract,
  noOp,
  stopAndError,
  stickyNote,
];

const BY_KIND: ReadonlyMap<string, KindDescriptor> = new Map(KINDS.map((descriptor) => [descriptor.kind, descriptor]));

/** The descriptor of a kind, undefined if there is no such kind. Takes kinds, not types: see `kindOf`. */
export function describeKind(kind: string): KindDescriptor | undefined {
  return BY_KIND.get(kind);
}
