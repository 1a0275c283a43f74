import type { NodeExecutor, NodeRegistry } from '../engine/node';
import { dateTime } from './date-time/date-time';
import { graphql } from './graphql/graphql';
import { html, htmlExtract } from './html/html';
import { httpRequest } from './http-request/http-request';
import { ifNode } from './if';
import { manualTrigger } from './manual-trigger';
import { merge } from './merge/merge';
import { noOp } from './no-op';
import { renameKeys } from './rename-keys/rename-keys';
import { respondToWebhook } from './respond-to-webhook';
import { rssFeedRead } from './rss-feed-read/rss-feed-read';
import { cron, interval, scheduleTrigger } from './schedule-trigger';
import { set } from './set/set';
import { stickyNote } from './sticky-note';
import { stopAndError } from './stop-and-error';
import { webhook } from './webhook';

const EXECUTORS: readonly NodeExecutor[] = [
  cron,
  dateTime,
  graphql,
  html,
  htmlExtract,
  httpRequest,
  ifNode,
  interval,
  manualTrigger,
  merge,
  noOp,
  renameKeys,
  respondToWebhook,
  rssFeedRead,
  scheduleTrigger,
  set,
  stickyNote,
  stopAndError,
  webhook,
];

/** Every node kind that can run: one line above for each. The catalogue describes the same kinds. */
export const NODE_REGISTRY: NodeRegistry = new Map(EXECUTORS.map((executor) => [executor.kind, executor]));
