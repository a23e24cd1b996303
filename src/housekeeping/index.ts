export { CHORES, type Chore, DUTIES } from './chores.ts'
export { drawingFrames } from './draw-frames.ts'
export { createHousekeeper, type Housekeeper, housekeeperDefaults } from './housekeeper.ts'
export { emptyTrash, hasNewestFiles, sweepOrphans } from './sweep-orphans.ts'
