/** A method of a service, as the stubs describe it. */
interface Method<Request, Response> {
  /** Such as `/weft.executions.v1.ExecutionService/StartExecution`. */
  readonly path: string;
  readonly requestSerialize: (value: Request) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Request;
  readonly responseDeserialize: (bytes: Buffer) => Response;
}

/** A method with one request and one response. */
export interface UnaryMethod<Request, Response> extends Method<Request, Response> {
  readonly requestStream: false;
  readonly responseStream: false;
}

/** A method with one request and a stream of responses. */
export interface StreamMethod<Request, Response> extends Method<Request, Response> {
  readonly requestStream: false;
  readonly responseStream: true;
}

/** Codec of a message, as the stubs have it. */
export interface MessageType<Message> {
  readonly decode: (bytes: Uint8Array) => Message;
}

/** A message with these fields and the defaults of all others: `message(executions.ExecutionStart, { workflowId })`. */
export const message = <Message>(type: MessageType<Message>, fields: Partial<NoInfer<Message>>): Message => ({
  ...type.decode(new Uint8Array()),
  ...fields,
});

/** The request of a method with these fields and the defaults of all others. */
export const requestOf = <Request>(
  method: Pick<Method<Request, unknown>, 'requestDeserialize'>,
  fields: Partial<Request>,
): Request => ({ ...method.requestDeserialize(Buffer.alloc(0)), ...fields });
