/**
 * Words that sources, protos and pages use no more, each with the word to use. A name is found in its parts as well:
 * `sleepers` also in `findSleepers`. Add a line when a word is replaced everywhere.
 */
export const RETIRED_WORDS = [
  ['surroundings', 'deps, or the field by its name'],
  ['sleepers', 'inProcessWaits'],
  ['speakers', 'trustedCallers'],
  ['verdict', 'outcome'],
  ['neighbour', 'peer'],
  ['handBack', 'release'],
  ['FieldFault', 'FieldError'],
  ['takePlace', 'acquireSlot'],
  ['placeId', 'slotId'],
  ['heldFor', 'waitsForSlotId'],
  ['wishOf', 'requestOf'],
  ['StartWish', 'StartRequest'],
  ['followExecution', 'pollExecution'],
  ['findReferredVersions', 'findReferencedVersions'],
  ['keepDelivery', 'storeDelivery'],
  ['executionFailure', 'executionError'],
  ['httpAnswer', 'httpResponse'],
  ['sentAnswer', 'HttpResponse'],
  ['bodyRef', 'fileId'],
  ['body_ref', 'file_id'],
  ['inputJson', 'input'],
  ['input_json', 'input'],
  ['resumeJson', 'resume'],
  ['dedupeKey', 'idempotencyKey'],
  ['\\brunCount', 'nodeRunCount'],
  ['gatherOptions', 'BatcherOptions'],
  ['gatheredReads', 'batchedReads'],
  ['lookAt\\b', 'checkAt'],
  ['look_at', 'check_at'],
  ['patiently', 'with retries'],
  ['agenda', 'ready queue'],
  ['occasion', 'dedupe id'],
  ['changeable', 'requireEditable'],
  ['ignorePinData', 'usePinData'],
  ['usesPins', 'usePinData'],
  ['It is needed\\.', 'is required'],
  ['There is nothing at', 'Not found:'],
  ['MOST_(?=[A-Z])', 'MAX_'],
  ['(?<=[A-Z])_MAX(?![A-Za-z_])', 'MAX_ in front'],
];

/** Pages that describe the past, and this list. */
export const EXEMPT = [
  /^CHANGELOG\.md$/,
  /^docs\/decisions\//,
  /(^|\/)(retired-words\.mjs|check-text\.test\.ts)$/,
  /^proto\/gen\//,
];
