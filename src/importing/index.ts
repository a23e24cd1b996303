export { createImporter, type Importer, type ImporterDeps } from './importer.ts'
export type { PlaceLimits } from './places.ts'
export { claimStorage, type PlanRefusal, type PlanRoom, roomToReserve } from './plan-room.ts'
export {
  type ReceiveDeps,
  type ReceivedUpload,
  ReceivingStoppedError,
  receive,
  receiveDefaults,
  type StopReason,
} from './receive.ts'
export { IMPORT_STEPS, type ImportEnd, type ImportSignals, type ImportStep } from './run-import.ts'
export { type ImporterSettings, importerDefaults } from './settings.ts'
export { type ProgressBounds, watchProgress } from './watch-progress.ts'
