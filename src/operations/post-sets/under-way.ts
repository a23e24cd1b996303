import type { DeliveryState } from '#domain'

/** Whether there is a delivery that is not done. */
export const isUnderWay = (state: DeliveryState | null) => state !== null && state !== 'DONE'
