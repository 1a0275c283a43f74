import type { Credential } from '@weft/proto/credentials';
import { MODE_WORDS, STATUS_WORDS } from '@weft/proto/execution-words';
import { type Execution, ExecutionStatus } from '@weft/proto/executions';
import type { Workflow } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { parseJson } from '@weft/service-kit/json';

const timeOf = (time: Date | undefined): string | null => time?.toISOString() ?? null;

/** Unwraps a field of a response. @throws InternalError if it is missing */
export const present = <Value>(value: Value | undefined): Value => {
  if (value === undefined)
    throw new InternalError(new Error('The response of a service lacks the requested resource.'));
  return value;
};

/** A workflow: its definition and metadata. */
export const workflowJson = (workflow: Workflow): JsonObject => {
  const { id, name, active, createdAt, updatedAt, versionId, definition } = workflow;
  const stored = definition.length === 0 ? {} : parseJson(definition);
  return {
    ...(isJsonObject(stored) ? stored : {}),
    id,
    name,
    active,
    createdAt: timeOf(createdAt),
    updatedAt: timeOf(updatedAt),
    versionId,
  };
};

/** An execution without its data, with both n8n's names and those of the REST API. */
export const executionJson = (execution: Execution): JsonObject => {
  const { id, workflowId, mode, status, createdAt, startedAt, finishedAt, retryOf, retrySuccessId } = execution;
  return {
    id,
    workflowId,
    mode: MODE_WORDS.get(mode) ?? null,
    status: STATUS_WORDS.get(status) ?? null,
    finished: status === ExecutionStatus.EXECUTION_STATUS_SUCCESS,
    startedAt: timeOf(startedAt ?? createdAt),
    stoppedAt: timeOf(finishedAt),
    finishedAt: timeOf(finishedAt),
    retryOf: retryOf ?? null,
    retrySuccessId: retrySuccessId ?? null,
    ...(execution.customDataJson === undefined ? {} : { customData: jsonOf(execution.customDataJson) }),
  };
};

/** A credential without its data. */
export const credentialJson = ({ id, name, type, createdAt, updatedAt }: Credential): JsonObject => ({
  id,
  name,
  type,
  createdAt: timeOf(createdAt),
  updatedAt: timeOf(updatedAt),
});

const jsonOf = (text: string): Json => parseJson(Buffer.from(text));
