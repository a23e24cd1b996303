export {
  type Conversation,
  converse,
  type LimitPassed,
  restingProcesses,
  type TaskLimits,
} from './processes.ts'
export { keepCompiled, serveParent, threadEnvironment, watchLimits } from './program.ts'
