export { BackupError, KEY_FILE, type Manifest, readManifest } from './format.ts'
export { type KeyWay, openKeys } from './keys.ts'
export { type MadeBackup, makeBackup } from './make-backup.ts'
export { findBackup } from './place.ts'
export {
  compareFiles,
  requireEmpty,
  requireKnown,
  restoreFiles,
  restoreRows,
} from './restore-backup.ts'
