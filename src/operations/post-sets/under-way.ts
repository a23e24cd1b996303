import type { DeliveryState } from '#domain'

/** Whether a delivery is there and not done. */
export const isUnderWay = (state: DeliveryState | null) => state !== null && state !== 'DONE'
