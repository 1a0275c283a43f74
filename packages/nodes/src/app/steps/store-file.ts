import type { BinaryReference } from '@weft/engine';
import { lookup } from 'mime-types';
import { fileFactsOf } from '../../shared/http/response/file-facts';
import type { AppRun } from '../app-run';
import type { PreparedFile } from '../prepare-request';
import type { CallResponse } from '../send-call';
import type { TemplateScope } from '../template-scope';

/** Files by binary field. */
export type StoredFiles = Record<string, BinaryReference>;

/** Name and media type of a file; those that are empty follow from its response. */
export interface FileNames {
  readonly fileName: string | undefined;
  readonly mimeType: string | undefined;
}

/** Stores the response of a step or operation as a file, under the binary field that the app names. */
export async function storeFile(
  { property, name, type }: PreparedFile,
  response: CallResponse,
  run: AppRun,
  scope: TemplateScope,
): Promise<StoredFiles> {
  const reference = await storeResponse(response, run, {
    fileName: name?.text(scope),
    mimeType: type?.text(scope),
  });
  return { [property.text(scope) || 'data']: reference };
}

/** Stores a response as a file. */
export async function storeResponse(
  { response }: CallResponse,
  run: AppRun,
  names: FileNames,
): Promise<BinaryReference> {
  const facts = fileFactsOf(response);
  const fileName = names.fileName || facts.fileName;
  const byName = names.fileName === undefined || fileName === undefined ? false : lookup(fileName);
  const mimeType = names.mimeType || byName || facts.mimeType;
  const { fileExtension: _extension, ...others } = facts;
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(fileName ?? '')?.[1] ?? facts.fileExtension;
  const reference = await run.context.ports.files.store(response.body, {
    ...others,
    mimeType,
    ...(fileName === undefined ? {} : { fileName }),
    ...(extension === undefined ? {} : { fileExtension: extension }),
  });
  run.budget.giveBack(response.body.length);
  return reference;
}
