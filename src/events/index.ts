export { createEventRoom, eventDefaults } from './event-room.ts'
export { givePositions } from './give-positions.ts'
