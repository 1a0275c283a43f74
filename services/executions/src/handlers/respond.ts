import type { HttpResponse } from '@weft/proto/executions';
import type { RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { checkResponse } from '@weft/service-kit/limits';
import type { RespondToCaller } from '../domain/respond-to-caller';
import { binaryPlace } from '../domain/binary';
import type { SentAnswer } from '../domain/store-answer';
import { checkTokenHash } from './token-hash';
import { outcomeMessage } from './outcome-message';

/**
 * An answer as the domain takes it.
 * @throws InvalidRequest for a status that is none, LimitExceeded for too many headers or too large a body.
 */
export const checkedResponse = ({ statusCode, headers, body, bodyFileId }: HttpResponse): SentAnswer => {
  if (statusCode < 100 || statusCode > 999)
    throw new InvalidRequest('The answer is not valid.', [
      { field: 'answer.statusCode', message: 'Use a status of three digits.' },
    ]);
  checkResponse(headers, body.length);
  if (bodyFileId === undefined) return { statusCode, headers, body };
  if (binaryPlace(bodyFileId) === undefined)
    throw new InvalidRequest('The answer is not valid.', [
      { field: 'answer.bodyFileId', message: 'Give the id of a binary reference.' },
    ]);
  return { statusCode, headers, body, bodyFileId };
};

/** Respond. */
export const respondHandler =
  (respond: RespondToCaller): Handlers<typeof RunnerServiceService>['respond'] =>
  async ({ executionId, fence, response, resumeTokenHash }) => {
    if (response === undefined)
      throw new InvalidRequest('The answer is missing.', [{ field: 'answer', message: 'Say what to answer.' }]);
    return {
      outcome: outcomeMessage(
        await respond(executionId, fence, checkedResponse(response), checkTokenHash(resumeTokenHash)),
      ),
    };
  };
