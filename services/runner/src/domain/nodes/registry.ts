import type { NodeExecutor, NodeRegistry } from '../engine/node';
import { aggregate } from './aggregate';
import { code } from './code/code';
import { functionItem, functionNode } from './code/function';
import { compareDatasets } from './compare-datasets/compare-datasets';
import { crypto } from './crypto/crypto';
import { dateTime } from './date-time/date-time';
import { errorTrigger } from './error-trigger';
import { executeWorkflowTrigger } from './execute-workflow-trigger';
import { executionData } from './execution-data';
import { compression } from './files/compression';
import { convertToFile } from './files/convert-to-file';
import { extractFromFile } from './files/extract-from-file';
import { moveBinaryData } from './files/move-binary-data';
import { spreadsheetFile } from './files/spreadsheet-file';
import { filter } from './filter';
import { graphql } from './graphql/graphql';
import { html, htmlExtract } from './html/html';
import { httpRequest } from './http-request/http-request';
import { ifNode } from './if';
import { itemLists } from './item-lists';
import { jwt } from './jwt/jwt';
import { limit } from './limit';
import { manualTrigger } from './manual-trigger';
import { markdown } from './markdown/markdown';
import { merge } from './merge/merge';
import { noOp } from './no-op';
import { removeDuplicates } from './remove-duplicates';
import { renameKeys } from './rename-keys/rename-keys';
import { respondToWebhook } from './respond-to-webhook';
import { rssFeedRead } from './rss-feed-read/rss-feed-read';
import { cron, interval, scheduleTrigger } from './schedule-trigger';
import { set } from './set/set';
import { sort } from './sort';
import { splitInBatches } from './split-in-batches';
import { splitOut } from './split-out';
import { stickyNote } from './sticky-note';
import { stopAndError } from './stop-and-error';
import { summarize } from './summarize';
import { switchNode } from './switch/switch';
import { webhook } from './webhook';
import { xml } from './xml/xml';

const EXECUTORS: readonly NodeExecutor[] = [
  aggregate,
  code,
  compareDatasets,
  compression,
  convertToFile,
  cron,
  crypto,
  dateTime,
  errorTrigger,
  executeWorkflowTrigger,
  executionData,
  extractFromFile,
  filter,
  functionItem,
  functionNode,
  graphql,
  html,
  htmlExtract,
  httpRequest,
  ifNode,
  interval,
  itemLists,
  jwt,
  limit,
  manualTrigger,
  markdown,
  merge,
  moveBinaryData,
  noOp,
  removeDuplicates,
  renameKeys,
  respondToWebhook,
  rssFeedRead,
  scheduleTrigger,
  set,
  sort,
  splitInBatches,
  splitOut,
  spreadsheetFile,
  stickyNote,
  stopAndError,
  summarize,
  switchNode,
  webhook,
  xml,
];

/** Every node kind that can run: one line above for each. The catalogue describes the same kinds. */
export const NODE_REGISTRY: NodeRegistry = new Map(EXECUTORS.map((executor) => [executor.kind, executor]));
