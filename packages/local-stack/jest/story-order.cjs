'use strict';

/*
 * Order of test files. jest knows how long a file takes only after it has run it once, and goes by size before.
 *
 * A worker retains one borrowed stack (src/stack/borrowed-stack.ts) from story to story. Starting one takes about 3 s
 * of CPU time and each replica more, a changed setting half a second per process, and an unused stack still polls. So
 * stories run in the order of what they borrow: first those that borrow nothing, while no stack idles next to them;
 * then those with two replicas; then those with changed settings; and last the short ones that take the usual stack.
 */
const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

const NOTHING = 0;
const TWO_REPLICAS = 1;
const BOTH = 2;
const OWN_SETTINGS = 3;
const USUAL_STACK = 4;

/** Stacks that a story borrows, by its compiled source. */
const borrowingOf = (source) => {
  const calls = [...source.matchAll(/borrowStack\)\((\)|\{\}\))?/g)];
  if (calls.length === 0) return NOTHING;
  const isUsual = ([, end]) => end !== undefined;
  if (/replicas: 2/.test(source)) return calls.some(isUsual) ? BOTH : TWO_REPLICAS;
  return calls.every(isUsual) ? USUAL_STACK : OWN_SETTINGS;
};

const isStory = (path) => path.includes('/e2e/dist/src/stories/');

/** Position of a file: files run in the order of these numbers. */
const placeOf = (path) => (isStory(path) ? borrowingOf(readFileSync(path, 'utf8')) : NOTHING);

module.exports = class StoryOrder extends Sequencer {
  static placeOf = placeOf;

  sort(tests) {
    const sorted = super.sort(tests).map((test) => ({ test, place: placeOf(test.path) }));
    return sorted.sort((one, other) => one.place - other.place).map(({ test }) => test);
  }
};
