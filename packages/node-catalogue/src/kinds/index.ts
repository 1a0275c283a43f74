import type { KindDescriptor } from '../descriptor';
import { aggregate } from './aggregate';
import { code } from './code';
import { compareDatasets } from './compare-datasets';
import { compression } from './compression';
import { convertToFile } from './convert-to-file';
import { cron } from './cron';
import { crypto } from './crypto';
import { dateTime } from './date-time';
import { errorTrigger } from './error-trigger';
import { executeWorkflowTrigger } from './execute-workflow-trigger';
import { executionData } from './execution-data';
import { extractFromFile } from './extract-from-file';
import { filter } from './filter';
import { functionKind } from './function';
import { functionItem } from './function-item';
import { graphql } from './graphql';
import { html, htmlExtract } from './html';
import { httpRequest } from './http-request';
import { ifKind } from './if';
import { interval } from './interval';
import { itemLists } from './item-lists';
import { jwt } from './jwt';
import { limit } from './limit';
import { manualTrigger } from './manual-trigger';
import { markdown } from './markdown';
import { merge } from './merge';
import { moveBinaryData } from './move-binary-data';
import { noOp } from './no-op';
import { removeDuplicates } from './remove-duplicates';
import { renameKeys } from './rename-keys';
import { respondToWebhook } from './respond-to-webhook';
import { rssFeedRead } from './rss-feed-read';
import { scheduleTrigger } from './schedule-trigger';
import { set } from './set';
import { sort } from './sort';
import { splitInBatches } from './split-in-batches';
import { splitOut } from './split-out';
import { spreadsheetFile } from './spreadsheet-file';
import { stickyNote } from './sticky-note';
import { stopAndError } from './stop-and-error';
import { summarize } from './summarize';
import { switchKind } from './switch';
import { webhook } from './webhook';
import { xml } from './xml';

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
  filter,
  switchKind,
  merge,
  compareDatasets,
  splitInBatches,
  splitOut,
  aggregate,
  summarize,
  sort,
  limit,
  removeDuplicates,
  itemLists,
  code,
  functionKind,
  functionItem,
  httpRequest,
  graphql,
  rssFeedRead,
  dateTime,
  renameKeys,
  html,
  htmlExtract,
  markdown,
  xml,
  convertToFile,
  extractFromFile,
  spreadsheetFile,
  moveBinaryData,
  compression,
  crypto,
  jwt,
  executionData,
  errorTrigger,
  executeWorkflowTrigger,
  noOp,
  stopAndError,
  stickyNote,
];

const BY_KIND: ReadonlyMap<string, KindDescriptor> = new Map(KINDS.map((descriptor) => [descriptor.kind, descriptor]));

/** The descriptor of a kind, undefined if there is no such kind. Takes kinds, not types: see `kindOf`. */
export function describeKind(kind: string): KindDescriptor | undefined {
  return BY_KIND.get(kind);
}
