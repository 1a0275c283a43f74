export { digestOf } from './canonical';
export { type AppProblem, type CheckedApp, checkApp } from './checks/check-app';
export { kindsOf } from './kinds-of';
export { MAX_APP_BYTES, MAX_DEPTH } from './source/read-source';
