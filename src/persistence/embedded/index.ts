export { describeEmbeddedDatabase, type EmbeddedDatabasePlace } from './describe.ts'
export { EmbeddedDatabaseError } from './embedded-database-error.ts'
export { type EmbeddedDatabase, type EmbeddedDatabaseOptions, openEmbeddedDatabase } from './open-embedded-database.ts'
