export { CHORES, type Chore, type ChoreTools, DUTIES, type Duty } from './chores.ts'
export {
  createHousekeeper,
  type Housekeeper,
  type HousekeeperDeps,
  type HousekeeperSettings,
  housekeeperDefaults,
} from './housekeeper.ts'
export { emptyTrash, hasNewestFiles, type ListedFiles, sweepOrphans } from './sweep-orphans.ts'
