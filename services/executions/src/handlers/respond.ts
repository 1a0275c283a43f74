import type { HttpResponse } from '@weft/proto/executions';
import type { RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { checkResponse } from '@weft/service-kit/limits';
import type { RespondToCaller } from '../domain/respond-to-caller';
import { parseBinaryId } from '../domain/binary';
import { checkTokenHash } from './token-hash';
import { toOutcomeMessage } from './outcome-message';

/**
 * Checks an HTTP response that a runner sends.
 * @throws InvalidRequest for a status that is not one, LimitExceeded for too many headers or too large a body.
 */
export const checkedResponse = ({ statusCode, headers, body, fileId }: HttpResponse): HttpResponse => {
  if (statusCode < 100 || statusCode > 999)
    throw new InvalidRequest('The response is not valid.', [
      { field: 'response.statusCode', message: 'must be a status of three digits' },
    ]);
  checkResponse(headers, body.length);
  if (fileId === undefined) return { statusCode, headers, body };
  if (parseBinaryId(fileId) === undefined)
    throw new InvalidRequest('The response is not valid.', [
      { field: 'response.fileId', message: 'must be the id of a binary reference' },
    ]);
  return { statusCode, headers, body, fileId };
};

/** Respond. */
export const respondHandler =
  (respond: RespondToCaller): Handlers<typeof RunnerServiceService>['respond'] =>
  async ({ executionId, fence, response, resumeTokenHash }) => {
    if (response === undefined)
      throw new InvalidRequest('The response is missing.', [{ field: 'response', message: 'is required' }]);
    return {
      outcome: toOutcomeMessage(
        await respond(executionId, fence, checkedResponse(response), checkTokenHash(resumeTokenHash)),
      ),
    };
  };
