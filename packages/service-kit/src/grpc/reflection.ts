import type { Server } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { PROTO_FILES, PROTO_ROOT } from '@weft/proto/files';

/** Serves reflection of the named services, so that grpcurl and its like need no proto files. */
export const addReflection = (server: Server, services: readonly string[]): void => {
  const definition = loadSync([...PROTO_FILES], { includeDirs: [PROTO_ROOT], keepCase: true, longs: String, enums: String, defaults: true });
  new ReflectionService(definition, { services: [...services] }).addToServer(server);
};
