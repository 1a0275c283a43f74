import type { Server } from '@grpc/grpc-js';
import type { EnumTypeDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { descriptorFiles } from '@weft/proto/files';

/**
 * Serves reflection of the named services, so that grpcurl and its like need no proto files. The descriptors are the
 * compiler's own: those that proto-loader makes from its parse tree do not name what they import.
 */
export const addReflection = (server: Server, services: readonly string[]): void => {
  // The service looks at the files of each entry and at nothing else; one entry brings them all.
  const everything: EnumTypeDefinition = {
    format: 'Protocol Buffer 3 EnumDescriptorProto',
    type: {},
    fileDescriptorProtos: descriptorFiles().map((bytes) => Buffer.from(bytes)),
  };
  new ReflectionService({ everything }, { services: [...services] }).addToServer(server);
};
