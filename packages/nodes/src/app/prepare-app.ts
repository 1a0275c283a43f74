import type { AppDocument, AppOperation, AppSend } from '@weft/app-model';
import type { Json } from '@weft/node-catalogue';
import { type PreparedCode, prepareCode } from './code/prepare-code';
import {
  letOf,
  listOf,
  optionally,
  pagesOf,
  type PreparedLet,
  type PreparedPages,
  type PreparedRefusal,
  type PreparedRequest,
  type PreparedStep,
  refusalsOf,
  requestOf,
  stepsOf,
} from './prepare-request';
import { type PreparedRows, prepareRows } from './rows/prepare-rows';
import { Template } from './template';

/** An operation, ready to be run for any number of items. */
export interface PreparedOperation {
  readonly let: PreparedLet;
  readonly refuse: readonly PreparedRefusal[];
  readonly request: PreparedRequest | undefined;
  readonly steps: readonly PreparedStep[];
  /** The table that all items read or write together, after the steps. */
  readonly rows: PreparedRows | undefined;
  /** The code that decides which requests are sent and what the items are, after the steps. */
  readonly code: PreparedCode | undefined;
  /** Set if one request is sent for several items. */
  readonly batch: PreparedBatch | undefined;
  /** Set if a message with links is sent for the first item, and the run waits for the response. */
  readonly send: AppSend | undefined;
  readonly attachments: PreparedAttachments | undefined;
  /** Parameters whose values get the types of their columns, and whether. */
  readonly typed: readonly (readonly [name: string, when: Template])[];
  /** If it holds, only the first item is run. */
  readonly firstOnly: Template | undefined;
  /** True if the items are run one after the other. */
  readonly isInOrder: boolean;
  readonly pages: PreparedPages | undefined;
  /** A path into the response body, or a template that gives an array. */
  readonly list: Template | string | undefined;
  readonly item: Template | undefined;
}

/** How several items share a request. */
export interface PreparedBatch {
  /** The part of an item in the request. */
  readonly of: Template;
  /** Maximum number of items in one request. */
  readonly max: Template;
}

/** Files that are downloaded into the output items. */
export interface PreparedAttachments {
  readonly request: PreparedRequest;
  readonly of: Template;
}

/**
 * Prepares an operation of a kind. Values of `let` that nothing reads are left out.
 * @param place of the operation in the kind
 */
export function prepareOperation(
  app: AppDocument,
  kind: string,
  operation: AppOperation,
  place: string,
): PreparedOperation {
  const at = `${app.name}: kinds.${kind}`;
  const path = `${at}.${place}`;
  const templates: Template[] = [];
  const make = (value: Json, place: string): Template => {
    const template = new Template(value, place);
    templates.push(template);
    return template;
  };
  const optional = optionally(make);
  const { pages, batch, attachments } = operation;
  const prepared = {
    refuse: refusalsOf(operation.refuse, path, make),
    request: operation.call === undefined ? undefined : requestOf(app, operation.call, operation, path, make),
    steps: stepsOf(app, operation.steps, path, make),
    rows: operation.rows === undefined ? undefined : prepareRows(app, operation.rows, `${path}.rows`, make),
    code: operation.code === undefined ? undefined : prepareCode(app, operation.code, `${path}.code`, make),
    batch:
      batch === undefined
        ? undefined
        : { of: make(batch.of, `${path}.batch.of`), max: make(batch.max, `${path}.batch.max`) },
    send: operation.send,
    attachments:
      attachments === undefined
        ? undefined
        : {
            request: requestOf(app, attachments.call, { file: {} }, `${path}.attachments`, make),
            of: make(attachments.of, `${path}.attachments.of`),
          },
    typed: Object.entries(operation.typed ?? {}).map(([name, when]): readonly [string, Template] => [
      name,
      make(when, `${path}.typed.${name}`),
    ]),
    firstOnly: optional(operation.firstOnly, `${path}.firstOnly`),
    isInOrder: operation.inOrder === true,
    pages: pagesOf(app, pages, make),
    list: listOf(operation.list, `${path}.list`, make),
    item: optional(operation.item, `${path}.item`),
  };
  const lets = [...letOf(app.kinds[kind]?.let, `${at}.let`), ...letOf(operation.let, `${path}.let`)];
  return { ...prepared, let: readOnes(lets, templates) };
}

function readOnes(lets: PreparedLet, templates: readonly Template[]): PreparedLet {
  const read = new Set(templates.flatMap((template) => [...template.names]));
  return [...lets]
    .reverse()
    .filter(([name, template]) => {
      if (!read.has(name)) return false;
      for (const other of template.names) read.add(other);
      return true;
    })
    .reverse();
}
