import fc from 'fast-check';

/** Kind of a run: healthy; its end is malformed; it references missing data; or it kills its runner. */
export type Nature = 'healthy' | 'malformed' | 'missing' | 'killer';

/** Protections that a test disables, to verify that their absence is detected. */
export interface Mistakes {
  readonly wholeBatchRefused?: true;
  readonly noIsolation?: true;
  /** A process of isolated runs does not report that it takes another one. */
  readonly untoldSharing?: true;
  readonly noFence?: true;
}

/** An event in a scenario of several executions; `pick` selects a runner or a number. */
export interface Event {
  readonly kind:
    | 'claim'
    | 'lostClaim'
    | 'work'
    | 'report'
    | 'lostReport'
    | 'die'
    | 'exit'
    | 'share'
    | 'restart'
    | 'disconnect'
    | 'freeze'
    | 'wakeUp'
    | 'clock'
    | 'sweep';
  readonly pick: number;
}

/** A scenario: the kinds of its executions, and its events. */
export interface Story {
  readonly natures: readonly Nature[];
  readonly events: readonly Event[];
}

const KINDS: readonly Event['kind'][] = [
  'claim',
  'claim',
  'lostClaim',
  'work',
  'work',
  'report',
  'lostReport',
  'die',
  'exit',
  'share',
  'restart',
  'disconnect',
  'freeze',
  'wakeUp',
  'clock',
  'sweep',
];

const anyEvent: fc.Arbitrary<Event> = fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(11) });

/** Sequences that separate events rarely form: late reports of a frozen runner, and deaths of a shared process. */
const SEQUENCES: readonly (readonly Event['kind'][])[] = [
  ['claim', 'freeze', 'sweep', 'claim', 'wakeUp'],
  ['claim', 'die', 'sweep', 'claim', 'die', 'sweep'],
  ['claim', 'share', 'claim', 'exit'],
];

const anySequence: fc.Arbitrary<readonly Event[]> = fc
  .record({ kinds: fc.constantFrom(...SEQUENCES), pick: fc.nat(11) })
  .map(({ kinds, pick }) => kinds.map((kind) => ({ kind, pick })));

/** Any scenario in which bad runs share batches, claims and runners with healthy ones. */
export const anyStory: fc.Arbitrary<Story> = fc.record({
  natures: fc
    .array(fc.constantFrom<Nature>('healthy', 'healthy', 'malformed', 'missing', 'killer'), {
      minLength: 3,
      maxLength: 7,
    })
    .map((natures): Nature[] => ['healthy', ...natures]),
  events: fc
    .array(fc.oneof({ weight: 8, arbitrary: anyEvent }, { weight: 1, arbitrary: anySequence }), {
      minLength: 5,
      maxLength: 30,
    })
    .map((events) => events.flat()),
});
