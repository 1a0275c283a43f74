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
  ['takePlace', 'takeSlot'],
  ['ignorePinData', 'usePinData'],
  ['usesPins', 'usePinData'],
  ['It is needed\\.', 'is required'],
  ['There is nothing at', 'Not found:'],
  ['MOST_(?=[A-Z])', 'MAX_'],
  ['(?<=[A-Z])_MAX(?![A-Za-z_])', 'MAX_ in front'],
];

/** Pages that tell the past, and this list. */
export const EXEMPT = [
  /^CHANGELOG\.md$/,
  /^docs\/decisions\//,
  /(^|\/)retired-words\.(mjs|test\.ts)$/,
  /^proto\/gen\//,
];
