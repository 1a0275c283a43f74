import { runRegexProgram } from './regex-program';

void runRegexProgram(process.stdin, process.stdout).finally(() => process.exit());
