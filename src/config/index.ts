export {
  type Config,
  ConfigError,
  isLoopback,
  type NetworkSetting,
  processEnvironment,
  readAgentSettings,
  readConfig,
} from './read-config.ts'
export { keepSecretKeys, parseSecretKeys, readSecretKeysOf } from './secret-key.ts'
export { SETTINGS } from './settings.ts'
export { threadPoolSize, widenThreadPool } from './thread-pool.ts'
