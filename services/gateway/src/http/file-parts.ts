import type { ReadBinaryResponse } from '@weft/proto/executions';

/** A file as it is read: what is known of it, and its bytes as they come. */
export interface FileParts {
  readonly head: ReadBinaryResponse;
  readonly parts: AsyncGenerator<Uint8Array>;
}

const allParts = async function* (
  first: ReadBinaryResponse,
  rest: AsyncIterator<ReadBinaryResponse>,
): AsyncGenerator<Uint8Array> {
  try {
    yield first.data;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value.data;
  } finally {
    await rest.return?.();
  }
};

/** Waits for the first piece of a file: after that nothing ordinary can fail any more. @throws ServiceError */
export const openFile = async (file: AsyncIterable<ReadBinaryResponse>): Promise<FileParts> => {
  const pieces = file[Symbol.asyncIterator]();
  const first = await pieces.next();
  const head: ReadBinaryResponse = first.done === true ? { data: Buffer.alloc(0) } : first.value;
  return { head, parts: allParts(head, pieces) };
};
