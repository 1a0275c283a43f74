export { answerChecker } from './answer-checker';
export type { CheckAnswer, SeenAnswer } from './answer-checker';
export { breaks } from './breaks';
export { checkExamples } from './examples';
