import { loadSync, type MethodDefinition } from '@grpc/proto-loader';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PROTO_FILES, PROTO_ROOT } from '../src/files';
import { AuditServiceService } from '../gen/weft/audit/v1/audit_service';
import { EventServiceService } from '../gen/weft/executions/v1/event_service';
import { ExecutionServiceService } from '../gen/weft/executions/v1/execution_service';
import {
  ApiKeyServiceService,
  InvitationServiceService,
  SessionServiceService,
  UserServiceService,
} from '../gen/weft/credentials/v1/identity_service';
import { CredentialServiceService } from '../gen/weft/credentials/v1/credential_service';
import { ProjectServiceService } from '../gen/weft/credentials/v1/project_service';
import { RetryServiceService } from '../gen/weft/executions/v1/retry_service';
import { OfferServiceService } from '../gen/weft/runner/v1/offer_service';
import { RunnerServiceService } from '../gen/weft/runner/v1/runner_service';
import { AppServiceService } from '../gen/weft/workflows/v1/app_service';
import { DataTableServiceService } from '../gen/weft/workflows/v1/data_table_service';
import { DeliveryServiceService } from '../gen/weft/workflows/v1/delivery_service';
import { ListeningServiceService } from '../gen/weft/workflows/v1/listening_service';
import { OwnershipServiceService } from '../gen/weft/workflows/v1/ownership_service';
import { ScheduleServiceService } from '../gen/weft/workflows/v1/schedule_service';
import { FileAreaServiceService } from '../gen/weft/workflows/v1/file_area_service';
import { StateServiceService } from '../gen/weft/workflows/v1/state_service';
import { VariableServiceService } from '../gen/weft/workflows/v1/variable_service';
import { WorkflowServiceService } from '../gen/weft/workflows/v1/workflow_service';
import { SettingsServiceService } from '../gen/weft/settings/v1/settings_service';
import { indexMessages, sampleOf, type FileShape } from './sample';

interface Stub {
  readonly path: string;
  requestSerialize(value: unknown): Buffer;
  responseSerialize(value: unknown): Buffer;
}

const STUBS: readonly Stub[] = [
  AuditServiceService,
  SettingsServiceService,
  WorkflowServiceService,
  FileAreaServiceService,
  StateServiceService,
  VariableServiceService,
  AppServiceService,
  DataTableServiceService,
  DeliveryServiceService,
  ListeningServiceService,
  OwnershipServiceService,
  ScheduleServiceService,
  EventServiceService,
  ExecutionServiceService,
  RetryServiceService,
  OfferServiceService,
  RunnerServiceService,
  CredentialServiceService,
  ApiKeyServiceService,
  InvitationServiceService,
  UserServiceService,
  SessionServiceService,
  ProjectServiceService,
].flatMap((service): Stub[] => Object.values(service));

const definition = loadSync([...PROTO_FILES], {
  includeDirs: [PROTO_ROOT],
  longs: Number,
  enums: Number,
  defaults: false,
  oneofs: true,
});

const image: { file: readonly FileShape[] } = JSON.parse(
  execFileSync(join(PROTO_ROOT, '..', 'node_modules', '.bin', 'buf'), ['build', '-o', '-#format=json'], {
    cwd: PROTO_ROOT,
    encoding: 'utf8',
  }),
);
const messages = indexMessages(image.file);

const isMethod = (value: unknown): value is MethodDefinition<object, object> =>
  typeof value === 'object' && value !== null && 'requestSerialize' in value;
const methods = Object.entries(definition)
  .filter(([name]) => name.startsWith('weft.') && !messages.has(name))
  .flatMap(([, service]) => Object.values(service))
  .filter(isMethod);

const messageName = (path: string, type: MethodDefinition<object, object>['requestType']): string => {
  const shape: unknown = type.type;
  const name = typeof shape === 'object' && shape !== null && 'name' in shape ? shape.name : '';
  return `${path.split('/')[1]?.split('.').slice(0, -1).join('.') ?? ''}.${String(name)}`;
};

describe('the committed stubs', () => {
  it('contain exactly the methods of the contract', () => {
    expect(STUBS.map((stub) => stub.path).sort()).toEqual(methods.map((method) => method.path).sort());
  });

  it.each(methods.map((method) => [method.path, method] as const))(
    'put the same bytes on the wire as the proto file says: %s',
    (path, method) => {
      const stub = STUBS.find((candidate) => candidate.path === path);
      if (stub === undefined) throw new Error(`${path} has no stub.`);
      const asked = sampleOf(messages, messageName(path, method.requestType));
      expect(stub.requestSerialize(asked.forStub).toString('hex')).toBe(
        method.requestSerialize(asked.forLoader).toString('hex'),
      );
      const answered = sampleOf(messages, messageName(path, method.responseType));
      expect(stub.responseSerialize(answered.forStub).toString('hex')).toBe(
        method.responseSerialize(answered.forLoader).toString('hex'),
      );
    },
  );
});
