export { checkLimit, checkResponse, LIMITS, LimitExceeded, limitSentence, type Limit } from './limits';
