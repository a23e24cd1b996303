// What the library of the grid takes from temporal-polyfill/fns, by the browser's own Temporal: the polyfill comes along
// only where it is needed (see temporal.ts). vite.config.ts puts this file in the place of those modules.

export const fromEpochMilliseconds = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms)

export const toZonedDateTimeISO = (instant: Temporal.Instant, zone: string) => instant.toZonedDateTimeISO(zone)

export const create = (...fields: ConstructorParameters<typeof Temporal.PlainDateTime>) =>
  new Temporal.PlainDateTime(...fields)

export const toZonedDateTime = (dateTime: Temporal.PlainDateTime, zone: string) => dateTime.toZonedDateTime(zone)

export const offsetNanoseconds = (dateTime: Temporal.ZonedDateTime) => dateTime.offsetNanoseconds
