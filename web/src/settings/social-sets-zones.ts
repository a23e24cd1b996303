export { timezoneOptions } from '../time/zone-names.ts'
