// Makes the links between the libraries of Almanac's own PostgreSQL, which `scripts/prepare.mjs` does for images. Where it is not
// installed, DATABASE_URL names another one.
import { join } from 'node:path'
import { linkBinaries } from '../src/persistence/embedded/binaries.ts'
import { EmbeddedDatabaseError } from '../src/persistence/embedded/embedded-database-error.ts'

await linkBinaries(join(import.meta.dirname, '..')).catch((error: unknown) => {
  if (!(error instanceof EmbeddedDatabaseError)) throw error
})
