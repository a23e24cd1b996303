export { describeNetwork } from './describe-network.ts'
export { named } from './describe-sign-in.ts'
export type {
  Backend,
  BackendContext,
  BrokenPost,
  ConformanceHarness,
  OptOuts,
  Sample,
  SampleMedia,
} from './harness.ts'
export { openSampleMedia } from './media.ts'
export { simulatorBackend } from './simulator-backend.ts'
