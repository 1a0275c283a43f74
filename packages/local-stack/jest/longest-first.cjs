'use strict';

/*
 * Order of test files. jest knows how long a file takes only after it has run it once, and goes by size before. The
 * stories below take minutes: started last, they would run alone at the end.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = [
  'chaos-without-protection',
  'corpus',
  'chaos',
  'schedules',
  'eager-kills',
  'eager-inserts',
  'kills',
  'waiting',
  'sub-workflows',
];

const rank = ({ path }) => {
  const at = LONGEST.findIndex((name) => path.endsWith(`/stories/${name}.test.js`));
  return at < 0 ? LONGEST.length : at;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};
