import { runProgram } from './program';

void runProgram(Number(process.argv[2]), process.stdin, process.stdout).finally(() => process.exit());
