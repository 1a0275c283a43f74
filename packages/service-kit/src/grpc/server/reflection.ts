import type {
  Server,
  ServiceDefinition,
  UntypedHandleCall,
  UntypedServiceImplementation,
  handleBidiStreamingCall,
} from '@grpc/grpc-js';
import type { EnumTypeDefinition } from '@grpc/proto-loader';
import type * as Reflection from '@grpc/reflection';
import { descriptorFiles } from '@weft/proto/files';
import { createRequire } from 'node:module';

// creating the service takes a tenth of the start time, and most processes are never asked
const loadLate = createRequire(__filename);

const NAMES = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'] as const;
const METHOD = 'ServerReflectionInfo';

/** The only method of a version of the reflection service. */
interface ReflectionMethod {
  readonly definition: ServiceDefinition[string];
  readonly handle: UntypedHandleCall;
}

/**
 * Serves reflection of the named services, so that tools such as grpcurl need no proto files. The descriptors come from
 * the compiler: those that proto-loader generates omit the imports.
 */
export const addReflection = (server: Server, services: readonly string[]): void => {
  let made: ReadonlyMap<string, ReflectionMethod> | undefined;
  for (const name of NAMES) {
    const method = (): ReflectionMethod => {
      made ??= createReflection(services);
      const found = made.get(name);
      if (found === undefined) throw new Error(`@grpc/reflection does not serve ${name}`);
      return found;
    };
    const definition: ServiceDefinition = {
      [METHOD]: {
        path: `/${name}/${METHOD}`,
        requestStream: true,
        responseStream: true,
        requestSerialize: (value: unknown) => method().definition.requestSerialize(value),
        requestDeserialize: (bytes) => method().definition.requestDeserialize(bytes),
        responseSerialize: (value: unknown) => method().definition.responseSerialize(value),
        responseDeserialize: (bytes) => method().definition.responseDeserialize(bytes),
      },
    };
    const handle: handleBidiStreamingCall<unknown, unknown> = (call) =>
      Reflect.apply(method().handle, undefined, [call]);
    server.addService(definition, { [METHOD]: handle });
  }
};

/** The methods of @grpc/reflection by service name. */
const createReflection = (services: readonly string[]): ReadonlyMap<string, ReflectionMethod> => {
  const { ReflectionService }: typeof Reflection = loadLate('@grpc/reflection');
  // The service uses only the files of each entry; one entry has them all.
  const everything: EnumTypeDefinition = {
    format: 'Protocol Buffer 3 EnumDescriptorProto',
    type: {},
    fileDescriptorProtos: descriptorFiles().map((bytes) => Buffer.from(bytes)),
  };
  const methods = new Map<string, ReflectionMethod>();
  const addService = (definition: ServiceDefinition, implementation: UntypedServiceImplementation): void => {
    const [method, handle] = [definition[METHOD], implementation[METHOD]];
    const [, name] = method?.path.split('/') ?? [];
    if (method !== undefined && handle !== undefined && name !== undefined)
      methods.set(name, { definition: method, handle });
  };
  new ReflectionService({ everything }, { services: [...services] }).addToServer({ addService });
  return methods;
};
