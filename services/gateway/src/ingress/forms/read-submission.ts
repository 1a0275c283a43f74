import { InvalidRequest } from '@weft/service-kit/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkBodyEncoding, checkBodyHeaders, checkSender, type ReadBody } from '../../middleware/bodies/read-body';
import { readMultipart } from '../../uploads/read-multipart';
import type { StoreFile, UploadGate } from '../../uploads/store-file';
import { indexOfInput, readEncodedForm, type SentFile, type Submission, submissionOf } from './submission';

/** Dependencies of reading a submission. */
export interface SubmissionIntake {
  readonly readBody: ReadBody;
  readonly gate: UploadGate;
  readonly storeFile: StoreFile;
}

const filesByField = (
  files: readonly { readonly field: string; readonly reference: SentFile['reference'] }[],
): Submission['files'] => {
  const byField = new Map<number, SentFile[]>();
  for (const { field, reference } of files) {
    const index = indexOfInput(field);
    if (index === undefined) continue;
    const file = {
      fileName: reference.fileName ?? '',
      mimeType: reference.mimeType,
      size: reference.fileSize,
      reference,
    };
    byField.set(index, [...(byField.get(index) ?? []), file]);
  }
  return byField;
};

/**
 * Reads the submission of a form, and stores its files.
 * @throws InvalidRequest; PayloadTooLarge; RequestAborted; Unavailable
 */
export const readSubmission = async (
  request: IncomingMessage,
  response: ServerResponse,
  { readBody, gate, storeFile }: SubmissionIntake,
): Promise<Submission> => {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'multipart/form-data') {
    checkBodyEncoding(request);
    checkSender(request);
    const hold = readBody.hold(request, response);
    const { fields, files } = await gate(() => readMultipart(request, response, { store: storeFile, hold }));
    return submissionOf(fields, filesByField(files));
  }
  if (type !== 'application/x-www-form-urlencoded' && type !== '')
    throw new InvalidRequest('A form is sent as multipart/form-data or application/x-www-form-urlencoded.');
  checkBodyHeaders(request);
  return readBody(request, response, async (body) => readEncodedForm(body.toString('utf8')));
};
