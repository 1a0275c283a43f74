export { currentContext, remainingMs, withContext, withoutContext, type RequestContext } from './request-context';
