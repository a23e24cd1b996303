export { BackupError, KEY_FILE, type Manifest, readManifest } from './format.ts'
export { type KeyWay, openKeys } from './keys.ts'
export { type BackupDeps, type MadeBackup, makeBackup } from './make-backup.ts'
export { findBackup } from './place.ts'
export {
  compareFiles,
  type RestoreDeps,
  requireEmpty,
  requireKnown,
  restoreFiles,
  restoreRows,
} from './restore-backup.ts'
