export {
  appSettingsOf,
  isOfEnvironment,
  type NetworkAppFacts,
  type NetworkAppSettings,
  type NetworkAppValues,
  networkAppsOf,
  settingsWithApps,
} from './apps.ts'
export { checkPosts, type PostsCheck } from './check-posts.ts'
export { type IdentityPlace, OPERATOR_SERVICE, resolveEndpoint, resolveSetting } from './endpoints.ts'
export { fitsById, fitsOf } from './fit-media.ts'
export {
  asDocumented,
  type Checks,
  differs,
  type Look,
  notTried,
  type Probe,
  type Result,
  refusalWords,
  type Settled,
} from './kit/checks.ts'
export { FAULTS, type FaultName, faultNames } from './kit/faults.ts'
export { createHttp, discardBody, type Http, type HttpAnswer, isRead } from './kit/http.ts'
export { rulesOfPart } from './kit/parts.ts'
export { plainPost, plainPreview } from './kit/plain-post.ts'
export { createMask, type RecordedCall, recordCalls } from './kit/recorder.ts'
export { compareShape } from './kit/shape.ts'
export { type SigningKeys, sandboxSecret, signedTokens } from './kit/signed-tokens.ts'
export type { LedgerPost, OpenBlob, Simulator, SimulatorDeps, SimulatorStore } from './kit/simulation.ts'
export { wordsKeyOf, wordsOfDelivery } from './kit/words.ts'
export type {
  AppCheckOutcome,
  Attempt,
  Capabilities,
  CapabilityRefusal,
  Connect,
  ConnectContext,
  ConnectOutcome,
  Connector,
  CoverOutcome,
  Credentials,
  DefaultField,
  DefaultOptions,
  Defaults,
  Finding,
  FindOutcome,
  Handles,
  InboxOutcome,
  LateCover,
  Manifest,
  MediaSource,
  MediaToSend,
  Network,
  NetworkIdentity,
  OAuth,
  OptionsOutcome,
  Others,
  Part,
  PartPrepareOutcome,
  PostForm,
  PostToCheck,
  PrepareOutcome,
  PublishOutcome,
  RefreshOutcome,
  SignInOutcome,
} from './network.ts'
export {
  checkOptionNames,
  chosenFor,
  defaultsOf,
  fieldsForOtherAccount,
  fieldsToCopy,
  missingDefaults,
  optionsOf,
  sandboxDefaults,
  valueAdvice,
} from './options.ts'
export {
  loadChecks,
  loadManifests,
  loadNetworks,
  type Networks,
  networkNamed,
  networksOf,
  readNetworkPage,
} from './registry.ts'
export { runStep } from './run-step.ts'
export { type SignInWay, signInNamed, signInsOf } from './sign-ins.ts'
