export { monotonicTimeOf, unixTimeOf } from './wall-time';
export { currentContext, remainingMs, withContext, withoutContext, type RequestContext } from './request-context';
