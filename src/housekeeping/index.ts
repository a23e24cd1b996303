export { CHORES, type Chore, DUTIES } from './chores.ts'
export { createHousekeeper, type Housekeeper, housekeeperDefaults } from './housekeeper.ts'
export { emptyTrash, hasNewestFiles, sweepOrphans } from './sweep-orphans.ts'
