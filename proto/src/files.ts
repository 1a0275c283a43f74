import { BinaryReader } from '@bufbuild/protobuf/wire';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder that imports in .proto files are relative to. */
export const PROTO_ROOT = join(__dirname, '..', '..');

/** The contract's files, relative to PROTO_ROOT. */
export const PROTO_FILES: readonly string[] = [
  'weft/audit/v1/audit_service.proto',
  'weft/settings/v1/settings_service.proto',
  'weft/workflows/v1/workflow_service.proto',
  'weft/workflows/v1/file_area_service.proto',
  'weft/workflows/v1/state_service.proto',
  'weft/workflows/v1/variable_service.proto',
  'weft/workflows/v1/app_service.proto',
  'weft/workflows/v1/data_table_service.proto',
  'weft/workflows/v1/delivery_service.proto',
  'weft/workflows/v1/listening_service.proto',
  'weft/workflows/v1/ownership_service.proto',
  'weft/workflows/v1/schedule_service.proto',
  'weft/executions/v1/execution_service.proto',
  'weft/executions/v1/retry_service.proto',
  'weft/runner/v1/offer_service.proto',
  'weft/runner/v1/runner_service.proto',
  'weft/credentials/v1/credential_service.proto',
  'weft/credentials/v1/identity_service.proto',
  'weft/credentials/v1/project_service.proto',
  'grpc/health/v1/health.proto',
];

const FILE_FIELD = 1;

/**
 * Descriptors of all files of the contract and their imports, each a serialised google.protobuf.FileDescriptorProto,
 * for server reflection.
 */
export const descriptorFiles = (): Uint8Array[] => {
  const reader = new BinaryReader(readFileSync(join(PROTO_ROOT, 'gen', 'descriptors.binpb')));
  const files: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === FILE_FIELD) files.push(reader.bytes());
    else reader.skip(wireType);
  }
  return files;
};
