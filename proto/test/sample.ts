/** A field of a descriptor. */
interface FieldShape {
  readonly name: string;
  readonly number: number;
  readonly label: string;
  readonly type: string;
  readonly typeName?: string;
  readonly oneofIndex?: number;
  readonly proto3Optional?: boolean;
}

/** A message of a descriptor. */
export interface MessageShape {
  readonly name: string;
  readonly field?: readonly FieldShape[];
  readonly nestedType?: readonly MessageShape[];
  readonly options?: { readonly mapEntry?: boolean };
  readonly oneofDecl?: readonly { readonly name: string }[];
}

/** Messages by full name. */
export type MessageIndex = ReadonlyMap<string, MessageShape>;

/** One value, in the forms that the stubs and proto-loader take. */
export interface Sample {
  readonly forStub: unknown;
  readonly forLoader: object;
}

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const nameOf = (field: FieldShape): string => (field.typeName ?? '').replace(/^\./, '');

const scalar = (type: string, number: number): unknown => {
  if (type === 'TYPE_STRING') return `text ${number} ä`;
  if (type === 'TYPE_BYTES') return Buffer.from([number, 0, 255]);
  if (type === 'TYPE_BOOL') return true;
  if (type === 'TYPE_DOUBLE') return number + 0.5;
  return number;
};

const MOMENT_MS = 1_700_000_000_123;

const single = (messages: MessageIndex, field: FieldShape, depth: number): { forStub: unknown; forLoader: unknown } => {
  if (field.type === 'TYPE_ENUM') return { forStub: 1, forLoader: 1 };
  if (field.type !== 'TYPE_MESSAGE') {
    const value = scalar(field.type, field.number);
    return { forStub: value, forLoader: value };
  }
  const name = nameOf(field);
  if (name === 'google.protobuf.Timestamp')
    return {
      forStub: new Date(MOMENT_MS),
      forLoader: { seconds: Math.floor(MOMENT_MS / 1000), nanos: (MOMENT_MS % 1000) * 1_000_000 },
    };
  if (name === 'google.protobuf.Any')
    return {
      forStub: { typeUrl: 't', value: Buffer.from([1]) },
      forLoader: { type_url: 't', typeUrl: 't', value: Buffer.from([1]) },
    };
  return sampleOf(messages, name, depth + 1);
};

const isMap = (messages: MessageIndex, field: FieldShape): boolean =>
  field.type === 'TYPE_MESSAGE' && messages.get(nameOf(field))?.options?.mapEntry === true;

/** One entry of a map: its key is a string or a number. */
const entryOf = (
  messages: MessageIndex,
  field: FieldShape,
  depth: number,
): { forStub: unknown; forLoader: unknown } => {
  const [key, value] = messages.get(nameOf(field))?.field ?? [];
  if (key === undefined || value === undefined) throw new Error(`The map ${field.name} has no entry.`);
  const name = key.type === 'TYPE_STRING' ? 'k' : '7';
  const { forStub, forLoader } = single(messages, value, depth);
  return { forStub: { [name]: forStub }, forLoader: { [name]: forLoader } };
};

/** A value with every field set: the first of a oneof; lists with two entries; maps with one. */
export const sampleOf = (messages: MessageIndex, name: string, depth = 0): Sample => {
  const shape = messages.get(name);
  if (shape === undefined || depth > 8) throw new Error(`No message ${name}, or nested too deep.`);
  const forStub: Record<string, unknown> = {};
  const forLoader: Record<string, unknown> = {};
  const oneofs = new Set<number>();
  for (const field of shape.field ?? []) {
    const key = camel(field.name);
    const inOneof = field.oneofIndex !== undefined && field.proto3Optional !== true;
    if (isMap(messages, field)) {
      const entry = entryOf(messages, field, depth);
      forStub[key] = entry.forStub;
      forLoader[key] = entry.forLoader;
      continue;
    }
    if (inOneof && field.oneofIndex !== undefined) {
      if (oneofs.has(field.oneofIndex)) continue;
      oneofs.add(field.oneofIndex);
    }
    const value = single(messages, field, depth);
    const repeated = field.label === 'LABEL_REPEATED';
    forLoader[key] = repeated ? [value.forLoader, value.forLoader] : value.forLoader;
    if (inOneof && field.oneofIndex !== undefined)
      forStub[camel(shape.oneofDecl?.[field.oneofIndex]?.name ?? '')] = { $case: key, value: value.forStub };
    else forStub[key] = repeated ? [value.forStub, value.forStub] : value.forStub;
  }
  return { forStub, forLoader };
};

/** One file of a descriptor set, in the JSON of `buf build`. */
export interface FileShape {
  readonly package?: string;
  readonly messageType?: readonly MessageShape[];
}

const named = (prefix: string, shape: MessageShape): [string, MessageShape][] => {
  const name = `${prefix}.${shape.name}`;
  return [[name, shape], ...(shape.nestedType ?? []).flatMap((nested) => named(name, nested))];
};

/** All messages of a descriptor set, nested ones included. */
export const indexMessages = (files: readonly FileShape[]): MessageIndex =>
  new Map(files.flatMap((file) => (file.messageType ?? []).flatMap((shape) => named(file.package ?? '', shape))));
