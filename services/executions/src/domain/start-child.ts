import { createHash } from 'node:crypto';
import { InvalidRequest } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { parseJson } from '@weft/service-kit/json';
import { checkCall } from './call-policy';
import { childResult, type ChildResult } from './child-result';
import { readClaimed } from './claimed-run';
import { CallRefused, VersionNotFound } from './errors';
import type { ExecutionRecord } from './execution';
import { isEndState } from './execution-state';
import { MAX_CALL_DEPTH, MAX_RESULT_BYTES } from './limits';
import { newExecution } from './new-execution';
import type { ClaimExecutions, ReadExecution } from './ports';
import { claimWrite } from './run-writes';
import { storeInput, type StartPorts } from './start-execution';
import type { GetVersion, KnownVersion } from './version-cache';
import type { WorkflowVersion } from './workflow-version';

/** A sub-workflow that a running execution calls. */
export interface ChildRequest {
  readonly runnerId: string;
  readonly parentId: string;
  readonly fence: number;
  readonly node: string;
  readonly run: number;
  readonly item: number;
  readonly workflowId: string;
  /** JSON array of items; empty: none. */
  readonly input: Buffer;
  /** The parent does not wait for it: any runner may have it. */
  readonly detached: boolean;
}

/** Where the child is now. */
export type ChildStart =
  | { readonly kind: 'ended'; readonly child: ExecutionRecord; readonly result: ChildResult }
  | { readonly kind: 'claimed'; readonly child: ExecutionRecord; readonly version: WorkflowVersion }
  | { readonly kind: 'elsewhere'; readonly childId: string };

/** Starts a child, or finds the one that was started before. @throws ClaimLost, CallRefused, the refusals of the workflows service */
export type StartChild = (request: ChildRequest) => Promise<ChildStart>;

/** What starting a child needs. */
export interface ChildPorts extends Pick<StartPorts, 'prepareStart' | 'getVersion' | 'insert' | 'findByKey' | 'chunks' | 'publish' | 'clock'> {
  readonly read: ReadExecution;
  readonly claim: ClaimExecutions;
  readonly leaseMs: number;
}

const dedupeKeyOf = ({ parentId, node, run, item }: ChildRequest): string => `sub:${parentId}:${node}:${run}:${item}`;

/** The same call of the same claim on the parent makes the same claim on the child. */
const claimIdOf = (request: ChildRequest): string =>
  `sub-${createHash('sha256').update(`${request.fence}:${dedupeKeyOf(request)}`).digest('hex').slice(0, 32)}`;

const checkInput = (input: Buffer): void => {
  if (input.length > 0 && !Array.isArray(parseJson(input))) throw new InvalidRequest('The input of a sub-workflow is not valid.', [{ field: 'inputJson', description: 'Send a JSON array of items.' }]);
};

const versionOf = async (versionId: string, getVersion: GetVersion): Promise<KnownVersion> => {
  const known = await getVersion(versionId);
  if (known === undefined) throw new VersionNotFound(versionId);
  return known;
};

/** Inserts the child, and answers its id or that of the one inserted before. */
const insertChild = async (request: ChildRequest, parent: ExecutionRecord, ports: ChildPorts): Promise<{ id: string; isNew: boolean }> => {
  const depth = (parent.parent?.depth ?? 0) + 1;
  const { workflowId } = request;
  if (depth > MAX_CALL_DEPTH) throw new CallRefused(workflowId, `sub-workflows may call each other ${MAX_CALL_DEPTH} deep.`);
  const prepared = await ports.prepareStart({ workflowId, startNode: '' });
  const called = await versionOf(prepared.versionId, ports.getVersion);
  checkCall(called, parent);
  const id = uuidv7();
  const record = newExecution(
    {
      id,
      workflowId,
      versionId: prepared.versionId,
      ownerId: prepared.ownerId,
      startNode: called.facts.callTrigger === '' ? prepared.startNode : called.facts.callTrigger,
      mode: 'integrated',
      facts: called.facts,
      ignorePinData: true,
      input: await storeInput(ports.chunks, id, request.input),
      dedupeKey: dedupeKeyOf(request),
      parent: { executionId: parent._id, depth, rootId: parent.parent?.rootId ?? parent._id },
    },
    ports.clock(),
  );
  const outcome = await ports.insert(record);
  return outcome.kind === 'inserted' ? { id, isNew: true } : { id: outcome.executionId, isNew: false };
};

/** The child is claimed for the caller if it is free, so that it runs in its parent's slot. */
const takeOver = async (childId: string, request: ChildRequest, ports: ChildPorts): Promise<ChildStart> => {
  const claimId = claimIdOf(request);
  const [child] = await ports.claim([childId], claimId, claimWrite(claimId, request.runnerId, new Date(ports.clock()), ports.leaseMs));
  if (child !== undefined) return { kind: 'claimed', child, version: (await versionOf(child.versionId, ports.getVersion)).version };
  const found = await ports.read(childId);
  if (found === undefined || !isEndState(found.state)) return { kind: 'elsewhere', childId };
  return { kind: 'ended', child: found, result: await childResult(found, ports.chunks, MAX_RESULT_BYTES) };
};

/** Starts children; the call of one node run for one item has one child, however often it is repeated. */
export const createStartChild =
  (ports: ChildPorts): StartChild =>
  async (request) => {
    checkInput(request.input);
    const parent = await readClaimed(request.parentId, request.fence, ports.read);
    const known = await ports.findByKey(dedupeKeyOf(request));
    const { id, isNew } = known === undefined ? await insertChild(request, parent, ports) : { id: known.executionId, isNew: false };
    if (!request.detached) return takeOver(id, request, ports);
    if (isNew) ports.publish(id, '0');
    return { kind: 'elsewhere', childId: id };
  };
