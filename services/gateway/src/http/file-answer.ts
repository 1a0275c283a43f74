import type { ReadBinaryResponse } from '@weft/proto/executions';

/** A file being read: its metadata, and a stream of its bytes. */
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

/** Waits for the first chunk of a file, after which no ordinary failure is expected. @throws ServiceError */
export const openFile = async (file: AsyncIterable<ReadBinaryResponse>): Promise<FileParts> => {
  const pieces = file[Symbol.asyncIterator]();
  const first = await pieces.next();
  const head: ReadBinaryResponse = first.done === true ? { data: Buffer.alloc(0) } : first.value;
  return { head, parts: allParts(head, pieces) };
};

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;
const UNKNOWN = 'application/octet-stream';

/** Percent-encodes the characters that RFC 8187 does not allow. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/** A lone surrogate cannot be encoded, and control characters do not belong in a name. */
const plainName = (fileName: string): string =>
  (fileName.split(/[/\\]/).at(-1) ?? '').replace(/\p{Surrogate}/gu, '_').replace(/[\u0000-\u001f\u007f]/g, '');

/**
 * Headers of a file created by a workflow: a browser must save it, whatever its type, and never run it as a page of
 * this host.
 */
export const downloadHeaders = (mimeType: string, fileName: string): Readonly<Record<string, string>> => {
  const name = plainName(fileName);
  const asciiName = name.replace(/[^ \w.()+-]/g, '_');
  return {
    'content-type': MEDIA_TYPE.test(mimeType) ? mimeType : UNKNOWN,
    'content-disposition':
      name === '' ? 'attachment' : `attachment; filename="${asciiName}"; filename*=UTF-8''${encoded(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  };
};
