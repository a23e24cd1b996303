export { type FileToRead, isAlive, lendFile } from './folders.ts'
export { converse, endProgram, restingProcesses, whoReads } from './processes.ts'
export { type LimitPassed, serveParent, type TaskLimits, watchLimits } from './program.ts'
