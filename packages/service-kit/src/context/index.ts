export { currentContext, remainingMs, withContext, type RequestContext } from './request-context';
