export { createImporter, type Importer, type ImporterDeps } from './importer.ts'
export type { PlaceLimits } from './places.ts'
export { IMPORT_STEPS, type ImportEnd, type ImportSignals, type ImportStep } from './run-import.ts'
export { type ImporterSettings, importerDefaults } from './settings.ts'
