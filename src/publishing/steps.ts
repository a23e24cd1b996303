/** The moments of a delivery at which a worker can be stopped. Announced in this order as far as they occur. */
export const STEPS = [
  'lease-taken',
  'before-prepare',
  'handles-stored',
  'prepared',
  'before-fence',
  'fenced',
  'before-visible-request',
  'after-visible-request',
  'outcome-known',
  'before-confirm',
  'before-find',
  'found',
  'before-finish',
  'finished',
  'turn-over',
] as const
export type Step = (typeof STEPS)[number]

/** Hears of every step; the delivery waits for it. A no-op outside tests. */
export type Signals = (step: Step, deliveryId: string) => void | Promise<void>
