import { createHash } from 'node:crypto';
import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { JSON_LIMITS, type Json, type JsonLimits } from '@weft/service-kit/json';
import { WorkflowNotFound } from '../state/errors';
import type { ExecutionMode } from '../state/execution';
import { MAX_KEY_LENGTH } from '../state/limits';
import type { ReadJson } from '../state/ports';
import { idempotencyKeyOfEvent, type EventKey } from './event-key';

/** A request to start a workflow, unchecked. */
export interface StartRequest {
  readonly workflowId: string;
  /** JSON; empty: none. */
  readonly input: Buffer;
  readonly startNode: string;
  readonly idempotencyKey: string;
  readonly usePinData: boolean;
  /** Absent: not set. */
  readonly mode?: ExecutionMode;
  readonly versionId: string;
  readonly ownerId: string;
  /**
   * Created by the calling service, so that it can repeat the call; files may have been stored under it. Absent: a new
   * one is created.
   */
  readonly executionId?: string;
  /** No other execution of the workflow that has not ended may have it. */
  readonly mutexKey?: string;
  /** It was sent before without a response: it may have been accepted. */
  readonly isRepeated?: boolean;
  /** It is not kept when it has succeeded. */
  readonly expiresOnSuccess?: boolean;
  /** SHA-256 of the parts of the request besides its input. */
  readonly contentDigest?: Buffer;
  /** The sender's event; ignored if there is an idempotency key. */
  readonly event?: EventKey;
}

/** Caller of a start: a user, or a service for itself. */
export interface Starter {
  readonly principal?: Principal;
  readonly service?: string;
}

/** A start that is well-formed and permitted. */
export interface CheckedStart {
  readonly request: StartRequest;
  readonly principal?: Principal;
  readonly mode: ExecutionMode;
  readonly idempotencyKey?: string;
  /** The event whose dedupe key `idempotencyKey` is. */
  readonly event?: EventKey;
  readonly requestHash: string;
}

const MAX_NAME_LENGTH = 500;

const isNameTooLong = (name: string): boolean => name.length > MAX_NAME_LENGTH;

const invalid = (field: string, message: string): InvalidRequest =>
  new InvalidRequest('The start is not valid.', [{ field, message }]);

/** Length of the longest digest, that of SHA-256. */
const MAX_DIGEST_BYTES = 32;

/** Checks fields that only services may set: the id and related fields let a start be repeated. */
const checkOrigin = (
  { executionId, isRepeated, contentDigest, mutexKey, event, expiresOnSuccess }: StartRequest,
  { principal, service }: Starter,
): void => {
  if (principal !== undefined && mutexKey !== undefined)
    throw invalid('exclusiveKey', 'must be absent: only services set it');
  if (contentDigest !== undefined && contentDigest.length > MAX_DIGEST_BYTES)
    throw invalid('contentDigest', `Use at most ${MAX_DIGEST_BYTES} bytes.`);
  if (service !== undefined) return;
  if (executionId !== undefined) throw invalid('executionId', 'must be absent: the service creates the id');
  if (isRepeated === true) throw invalid('repeatedStart', 'must be absent: use an idempotency key');
  if (contentDigest !== undefined) throw invalid('contentDigest', 'must be absent');
  if (expiresOnSuccess === true) throw invalid('expiresOnSuccess', 'must be absent: only services set it');
  if (event !== undefined) throw invalid('eventKey', 'must be absent: use an idempotency key');
};

const checkShape = ({
  workflowId,
  idempotencyKey,
  startNode,
  versionId,
  executionId,
  mutexKey,
}: StartRequest): void => {
  if (!isUuid(workflowId)) throw new WorkflowNotFound(workflowId);
  if (idempotencyKey.length > MAX_KEY_LENGTH)
    throw invalid('idempotencyKey', `Use at most ${MAX_KEY_LENGTH} characters.`);
  if (isNameTooLong(startNode)) throw invalid('startNode', `Use at most ${MAX_NAME_LENGTH} characters.`);
  if (mutexKey !== undefined && (mutexKey === '' || mutexKey.length > 2 * MAX_NAME_LENGTH))
    throw invalid('exclusiveKey', `Use 1 to ${2 * MAX_NAME_LENGTH} characters.`);
  if (executionId !== undefined && !isUuid(executionId)) throw invalid('executionId', 'must be a UUID');
  if (versionId !== '' && !isUuid(versionId)) throw invalid('versionId', 'must be the id of a version');
};

const isItem = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Input from services wraps a body within the limits, and may contain any key: it is only data. */
const ITEM_LIMITS: JsonLimits = {
  ...JSON_LIMITS,
  maxBytes: 12_000_000,
  maxDepth: JSON_LIMITS.maxDepth + 4,
  maxValues: 2 * JSON_LIMITS.maxValues,
  refuseProto: false,
};

/** @throws InvalidRequest */
const checkInput = (value: Json, isOfUser: boolean): void => {
  if (isOfUser && !isItem(value)) throw invalid('input', 'must be a JSON object');
  if (!isOfUser && !(Array.isArray(value) && value.every(isItem)))
    throw invalid('input', 'must be a JSON array of items');
};

/**
 * Modes that each service may start for itself; others are for users or this service. The gateway starts manual runs
 * for test calls of webhooks, the workflows service starts stored webhook calls.
 */
const SERVICE_MODES: Readonly<Record<string, readonly ExecutionMode[]>> = {
  gateway: ['webhook', 'manual'],
  workflows: ['trigger', 'webhook'],
};

const modeOf = (request: StartRequest, starter: Starter): ExecutionMode => {
  if (starter.principal !== undefined) {
    if (request.mode !== undefined && request.mode !== 'manual')
      throw invalid('mode', 'must be absent: users start manual runs');
    if (request.versionId !== '') throw invalid('versionId', 'must be absent: users start the current version');
    if (request.ownerId !== '') throw invalid('ownerId', 'must be absent: it is the owner of the workflow');
    return 'manual';
  }
  const allowed = SERVICE_MODES[starter.service ?? ''] ?? [];
  if (request.mode === undefined || !allowed.includes(request.mode))
    throw invalid('mode', `Use one of: ${allowed.join(', ') || 'none'}.`);
  if (request.versionId === '') throw invalid('versionId', 'is required: the version that was resolved');
  if (request.startNode === '') throw invalid('startNode', 'is required: the node that was triggered');
  return request.mode;
};

/** A call of a webhook or a form with an id. */
export interface Hook {
  readonly workflowId: string;
  readonly startNode: string;
  readonly idempotencyKey: string;
}

/** The dedupe key of such a call. */
export const hookKey = ({ workflowId, startNode, idempotencyKey }: Hook): string =>
  `hook:${workflowId}:${startNode}:${idempotencyKey}`;

const idempotencyKeyOf = (
  { idempotencyKey, workflowId, startNode }: StartRequest,
  mode: ExecutionMode,
  principal: Principal | undefined,
): string | undefined => {
  if (idempotencyKey === '') return undefined;
  if (principal !== undefined) return `api:${principal.userId}:${idempotencyKey}`;
  return mode === 'webhook'
    ? hookKey({ workflowId, startNode, idempotencyKey })
    : `sched:${workflowId}:${startNode}:${idempotencyKey}`;
};

const fieldOf = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;

/** Content of a webhook request without its headers, which differ between attempts. */
const askedOf = (input: Json | undefined): string => {
  const json = fieldOf(Array.isArray(input) ? input[0] : undefined, 'json');
  return JSON.stringify(['params', 'query', 'body'].map((name) => fieldOf(json, name) ?? null));
};

/**
 * Fields that must be equal for two starts with one key to be the same request. The version may have changed meanwhile.
 */
const hashOf = (
  { workflowId, startNode, usePinData, input, contentDigest }: StartRequest,
  mode: ExecutionMode,
  value: Json | undefined,
): string =>
  createHash('sha256')
    .update(JSON.stringify([workflowId, startNode, usePinData]))
    .update(mode === 'webhook' ? askedOf(value) : input)
    .update(contentDigest ?? '')
    .digest('base64url');

/**
 * Checks an external start.
 * @throws InvalidRequest, WorkflowNotFound, PAYLOAD_TOO_LARGE, Unsent
 */
export const checkStart = async (
  request: StartRequest,
  starter: Starter,
  readJson: ReadJson,
): Promise<CheckedStart> => {
  checkShape(request);
  checkOrigin(request, starter);
  const mode = modeOf(request, starter);
  const { input, workflowId } = request;
  const isOfUser = starter.principal !== undefined;
  const owner = { ownerId: starter.principal?.userId ?? request.ownerId, workflowId };
  const requestHash =
    input.length === 0
      ? hashOf(request, mode, undefined)
      : await readJson(input, owner, isOfUser ? JSON_LIMITS : ITEM_LIMITS, (value) => {
          checkInput(value, isOfUser);
          return hashOf(request, mode, value);
        });
  const own = idempotencyKeyOf(request, mode, starter.principal);
  const event = own === undefined && mode === 'webhook' ? request.event : undefined;
  const idempotencyKey = event === undefined ? own : idempotencyKeyOfEvent({ ...request, event });
  return {
    request,
    mode,
    requestHash,
    ...(starter.principal === undefined ? {} : { principal: starter.principal }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(event === undefined ? {} : { event }),
  };
};
